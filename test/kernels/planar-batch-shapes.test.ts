/** Batches of two-dimensional testers whose shapes are added, removed and replaced. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarBodies, type PlanarTester } from '../../src/api/types.ts';
import { submit } from '../helpers/batch.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { usePlanarShapes } from '../helpers/planar-tester.ts';
import { frame } from '../helpers/planar-batch.ts';

let device: GPUDevice;
let tester: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-batch-shapes.device');
  tester = await createTester({ dimension: 2, device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

/** Bodies of these shapes, 4 apart. */
function row(shapes: number[]): PlanarBodies {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(shapes.flatMap((_, i) => [4 * i, 0])),
    angles: new Float32Array(shapes.length),
  };
}

describe('shapes', () => {
  test('that are added, removed and replaced after the batch was made are answered by it, once it is prepared for them', async () => {
    // A device of its own, so that nothing is compiled yet.
    const fresh = await openDefaultDevice('planar-batch.fresh');
    const own = await createTester({ dimension: 2, device: fresh });
    const small = own.addShape({ type: 'circle', radius: 1 });
    const large = own.addShape({ type: 'circle', radius: 2 });
    const batch = await own.createBatch({ query: 'distances', maxBodies: 3, maxPairs: 2 });
    const pairs = Uint32Array.of(0, 1, 1, 2);
    const distances = async (...shapes: number[]): Promise<number[]> =>
      Array.from((await frame(batch, { bodies: row(shapes), pairs })).distance);
    const needsMore = expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('batch.prepare()'),
    });
    expect(await distances(small, large, small)).toEqual([1, 1]);
    // One more circle needs no other kernels.
    const third = own.addShape({ type: 'circle', radius: 0.5 });
    expect(await distances(small, third, large)).toEqual([2.5, 1.5]);
    // A rectangle does.
    const rectangle = own.addShape({ type: 'rectangle', halfExtents: [0.25, 3] });
    expect(() => submit(batch)).toThrowError(needsMore);
    await batch.prepare();
    expect(await distances(small, rectangle, third)).toEqual([2.75, 3.25]);
    // A polygon of few corners and a rounded rectangle don't, now that there are two kinds: the kernel for all takes
    // them.
    const triangle = own.addShape({ type: 'polygon', points: [-1, -1, 1, 0, -1, 1] });
    const rounded = own.addShape({ type: 'rectangle', halfExtents: [0.25, 3], radius: 0.5 });
    await batch.prepare();
    expect(await distances(triangle, rounded, rectangle)).toEqual([2.25, 3]);
    // What is removed is invalid where bodies still have it.
    batch.write({ bodies: row([small, third, rectangle]) });
    own.removeShape(third);
    submit(batch);
    expect(Array.from((await batch.read()).status)).toEqual([Status.InvalidInput, Status.InvalidInput]);
    expect(own.addShape({ type: 'circle', radius: 1.5 })).toBe(third);
    submit(batch);
    expect(Array.from((await batch.read()).distance)).toEqual([1.5, 2.25]);
    // Many corners have a table of supports, which the kernels so far have no use for.
    const points = Array.from({ length: 100 }, (_, i) => (2 * Math.PI * i) / 100).flatMap((angle) => [
      Math.cos(angle),
      Math.sin(angle),
    ]);
    const polygon = own.addShape({ type: 'polygon', points });
    expect(() => submit(batch)).toThrowError(needsMore);
    await batch.prepare();
    const [first, second] = await distances(polygon, rounded, polygon);
    expect(Math.abs(first - 2.25)).toBeLessThanOrEqual(6 * TOLERANCE.kernels);
    expect(Math.abs(second - 2.25)).toBeLessThanOrEqual(6 * TOLERANCE.kernels);
    own.dispose();
    fresh.destroy();
  });

  test("that 'sat' is not for are refused, before and after a batch by it is made", async () => {
    usePlanarShapes(tester, [
      { type: 'rectangle', halfExtents: [1, 1] },
      { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
    ]);
    const options = { query: 'intersects', maxBodies: 2, maxPairs: 1, algorithm: 'sat' } as const;
    const batch = await tester.createBatch(options);
    const refused = expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.algorithm is "sat".*segments, rectangles and polygons/),
    });
    const capsule = tester.addShape({ type: 'capsule', halfHeight: 1, radius: 1 });
    await expect(tester.createBatch(options)).rejects.toEqual(refused);
    expect(() => submit(batch)).toThrowError(refused);
    tester.removeShape(capsule);
    expect(Array.from((await frame(batch, { bodies: row([0, 1]), pairs: Uint32Array.of(0, 1) })).hit)).toEqual([0]);
    batch.dispose();
  });

  test('a tester that is disposed ends its batches', async () => {
    const own = await createTester({ dimension: 2, device });
    own.addShape({ type: 'circle', radius: 1 });
    const batch = await own.createBatch({ query: 'intersects', maxBodies: 2, maxPairs: 1 });
    own.dispose();
    expect(() => batch.write({ bodies: row([0, 0]) })).toThrowError(expect.objectContaining({ code: 'DISPOSED' }));
    await expect(batch.read()).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
