/** Trees over the bodies of handles: built once for all rays and pairs until a write, and never used after one. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { BodyData, Bodies, RayHits, ResidentBodies, Tester } from '../../src/api/types.ts';
import { buildBoxTree } from '../../src/broad-phase/box-tree.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { dimensions, type Dimension } from '../helpers/dimensions.ts';

vi.mock('../../src/broad-phase/box-tree.ts', async (original) => {
  const real = await original<{ buildBoxTree: typeof buildBoxTree }>();
  return { ...real, buildBoxTree: vi.fn(real.buildBoxTree) };
});

const built = vi.mocked(buildBoxTree);
const BODIES = 300;
/** More than are cast without a tree. */
const RAYS = 70;
const MOST_WITHOUT_TREE = 65;

function randomNumbers(seed: number, count: number, from: number, to: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: count }, () => uniform(random, from, to));
}

function randomRotations({ identity }: Dimension, seed: number): Float32Array {
  const random = createRandom(seed);
  const one = (): ArrayLike<number> =>
    identity.length === 1 ? [uniform(random, -3, 3)] : unitVector(random, [...identity]);
  return Float32Array.from(Array.from({ length: BODIES }, () => Array.from(one())).flat());
}

/** The hits of rays that are cast one at a time: body and time each. */
async function castOneByOne(tester: Tester, bodies: Bodies | ResidentBodies, axes: number): Promise<number[]> {
  const found: number[] = [];
  for (let ray = 0; ray < RAYS; ray++) {
    const origins = rays(axes).origins.slice(axes * ray, axes * ray + axes);
    const directions = rays(axes).directions.slice(axes * ray, axes * ray + axes);
    const { body, time } = await tester.rayCasts(bodies, { origins, directions });
    found.push(body[0], time[0]);
  }
  return found;
}

function rays(axes: number): { origins: Float32Array; directions: Float32Array } {
  return {
    origins: randomNumbers(1, axes * RAYS, -8, 8),
    directions: randomNumbers(2, axes * RAYS, -1, 1),
  };
}

const listOf = ({ body, time }: RayHits): number[] => Array.from(body).flatMap((each, ray) => [each, time[ray]]);

beforeEach(() => built.mockClear());

describe.each(dimensions)('$name', (dimension) => {
  const { axes } = dimension;
  const rotation = axes === 3 ? 'quaternions' : 'angles';

  async function open(): Promise<{ tester: Tester; arrays: Bodies; handle: ResidentBodies }> {
    const tester = await dimension.createTester({ backend: 'cpu', threads: 1 });
    dimension.useShapes(tester, [dimension.box(0.6), dimension.ball(0.5)]);
    const arrays = {
      ...dimension.makeBodies({
        shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % 2),
        positions: randomNumbers(3, axes * BODIES, -6, 6),
        rotations: randomRotations(dimension, 4),
        scales: randomNumbers(5, BODIES, 0.5, 1.5),
      }),
      groups: new Uint32Array(BODIES).fill(0xffff_ffff),
      fixed: new Uint8Array(BODIES),
      linearVelocities: new Float32Array(axes * BODIES),
    } as unknown as Bodies;
    return { tester, arrays, handle: tester.createBodies(arrays) };
  }

  test('after each write, a tree is built for as many rays as it pays for, and not for the second call', async () => {
    const { tester, handle } = await open();
    const few = { origins: new Float32Array(axes), directions: new Float32Array(axes).fill(1) };
    for (const position of [1, 2]) {
      handle.write({ positions: new Float32Array(axes * BODIES).fill(position) } as BodyData);
      built.mockClear();
      for (let ray = 0; ray < MOST_WITHOUT_TREE; ray++) await tester.rayCasts(handle, few);
      expect(built).not.toHaveBeenCalled();
      await tester.rayCasts(handle, few);
      expect(built).toHaveBeenCalledTimes(1);
    }
    tester.dispose();
  });

  test('many rays one at a time, and pairs, share a tree that is built once', async () => {
    const { tester, arrays, handle } = await open();
    const found = await castOneByOne(tester, handle, axes);
    expect(built).toHaveBeenCalledTimes(1);
    const pairs = await tester.findPairs(handle);
    expect(await tester.findPairs(handle)).toEqual(pairs);
    expect(built).toHaveBeenCalledTimes(1);
    expect(found.filter((time, i) => i % 2 && time < Infinity).length).toBeGreaterThan(RAYS / 4);
    expect(listOf(await tester.rayCasts(handle, rays(axes)))).toEqual(found);
    expect(built).toHaveBeenCalledTimes(1);
    // The same from the arrays: no tree for rays one at a time, one for pairs.
    expect(await castOneByOne(tester, arrays, axes)).toEqual(found);
    expect(built).toHaveBeenCalledTimes(1);
    expect(await tester.findPairs(arrays)).toEqual(pairs);
    expect(built).toHaveBeenCalledTimes(2);
    tester.dispose();
  });

  test('no tree of a handle outlives what it was built of', async () => {
    const { tester, arrays, handle } = await open();
    let expected = { ...arrays };
    const compare = async (): Promise<void> => {
      await castOneByOne(tester, handle, axes);
      await tester.findPairs(handle, { margin: 0.1 });
      built.mockClear();
      const found = await castOneByOne(tester, handle, axes);
      const pairs = await tester.findPairs(handle, { margin: 0.1 });
      expect(built).toHaveBeenCalledTimes(0);
      expect(found).toEqual(await castOneByOne(tester, expected, axes));
      expect(pairs).toEqual(await tester.findPairs(expected, { margin: 0.1 }));
    };
    await compare();
    const writes = {
      positions: randomNumbers(6, axes * BODIES, -6, 6),
      [rotation]: randomRotations(dimension, 7),
      scales: randomNumbers(8, BODIES, 0.5, 1.5),
      shapes: Uint32Array.from({ length: BODIES }, (_, i) => Number(i % 3 === 0)),
      groups: Uint32Array.from({ length: BODIES }, (_, i) => (i % 4 ? 0xffff_ffff : 0)),
      fixed: Uint8Array.from({ length: BODIES }, (_, i) => i % 2),
    };
    for (const [name, array] of Object.entries(writes)) {
      handle.write({ [name]: array } as BodyData);
      expected = { ...expected, [name]: array } as Bodies;
      await compare();
    }
    // Another shape with the id of one that is removed.
    tester.removeShape(0);
    expect(tester.addShape(dimension.ball(0.9) as never)).toBe(0);
    await compare();
    tester.dispose();
  });

  test('a write of velocities, and a shape that no body has, leave the tree', async () => {
    const { tester, handle } = await open();
    const before = await castOneByOne(tester, handle, axes);
    handle.write({ linearVelocities: randomNumbers(9, axes * BODIES, -1, 1) });
    tester.addShape(dimension.ball(2) as never);
    expect(await castOneByOne(tester, handle, axes)).toEqual(before);
    expect(built).toHaveBeenCalledTimes(1);
    tester.dispose();
  });

  test('pairs on the way have trees of their own, until velocities are written', async () => {
    const { tester, arrays, handle } = await open();
    const find = (bodies: Bodies | ResidentBodies, duration: number): Promise<Uint32Array> =>
      tester.findPairs(bodies as Bodies, { duration } as never);
    for (const seed of [10, 11]) {
      const linearVelocities = randomNumbers(seed, axes * BODIES, -2, 2);
      handle.write({ linearVelocities });
      built.mockClear();
      const found = [await find(handle, 0.5), await find(handle, 1), await find(handle, 0.5)];
      expect(built).toHaveBeenCalledTimes(2);
      const moving = { ...arrays, linearVelocities } as unknown as Bodies;
      expect(found[0]).toEqual(await find(moving, 0.5));
      expect(found[1]).toEqual(await find(moving, 1));
      expect(found[2]).toEqual(found[0]);
      expect(found[1].length).toBeGreaterThan(found[0].length);
    }
    tester.dispose();
  });

  test('rays that are called before a write find the bodies as they were', async () => {
    const { tester, arrays, handle } = await open();
    const expected = await castOneByOne(tester, arrays, axes);
    await castOneByOne(tester, handle, axes);
    const early = tester.rayCasts(handle, rays(axes));
    const positions = randomNumbers(12, axes * BODIES, -6, 6);
    handle.write({ positions } as BodyData);
    const late = tester.rayCasts(handle, rays(axes));
    const later = tester.rayCasts(handle, rays(axes));
    expect(listOf(await early)).toEqual(expected);
    const moved = listOf(await tester.rayCasts({ ...arrays, positions } as Bodies, rays(axes)));
    expect(listOf(await late)).toEqual(moved);
    expect(listOf(await later)).toEqual(moved);
    expect(moved).not.toEqual(expected);
    tester.dispose();
  });
});
