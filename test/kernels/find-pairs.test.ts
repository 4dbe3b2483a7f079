/** `findPairs` of a tester on WebGPU: pairs of many bodies are found on the device. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { CollisionFilters } from '../../src/api/bodies.ts';
import type { Tester } from '../../src/api/types.ts';
import { arePaired } from '../../src/broad-phase/filters.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { differenceFaults, makePairJudge, type PairJudge } from '../helpers/pair-judge.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';

const SEED = 20_261_125;
/** As many as a hardware adapter gets. */
const COUNT = 2 ** 14;

const { gpu, compiled } = recordKernels(HARDWARE.info);
let tester: Tester;
let reference: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu', gpu });
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  tester?.dispose();
  reference?.dispose();
});

const scene = broadPhaseScene('similar', COUNT, SEED);

test.each([false, true])('after prepare, the search compiles nothing, float64Positions %s', async (is64Bit) => {
  const own = recordKernels(HARDWARE.info);
  using prepared = await createTester({ backend: 'webgpu', gpu: own.gpu });
  for (const shape of scene.shapes) prepared.addShape(shape);
  await prepared.prepare({ query: 'findPairs', float64Positions: is64Bit });
  expect(own.compiled).toContain('broad-phase/search');
  own.compiled.clear();
  const positions = is64Bit ? Float64Array.from(scene.bodies.positions) : scene.bodies.positions;
  const linearVelocities = new Float32Array(3 * COUNT);
  const filters = { groups: new Uint32Array(COUNT).fill(0xffff_ffff), fixed: new Uint8Array(COUNT) };
  const bodies = { ...scene.bodies, ...filters, positions, linearVelocities, angularVelocities: linearVelocities };
  expect((await prepared.findPairs(bodies, { duration: 1 })).length).toBeGreaterThan(2 * COUNT);
  expect([...own.compiled]).toEqual([]);
});

function addShapes(): void {
  for (const each of [tester, reference]) for (const shape of scene.shapes) each.addShape(shape);
}

describe('many bodies', () => {
  test('have the pairs that the CPU finds', async () => {
    addShapes();
    const expected = await reference.findPairs(scene.bodies);
    expect(expected.length).toBeGreaterThan(2 * COUNT);
    const found = await tester.findPairs(scene.bodies);
    expect(compiled).toContain('broad-phase/search');
    const judge = makePairJudge(scene.shapes, oracleBodies(scene.shapes, scene.bodies));
    expect(differenceFaults(judge, found, expected)).toEqual([]);
  });

  test('that are filtered or move have the pairs that the CPU finds', async () => {
    const groups = Uint32Array.from({ length: COUNT }, (_, i) => (i % 3 === 0 ? 0x0001_0002 : 0x0002_0003));
    const fixed = Uint8Array.from({ length: COUNT }, (_, i) => i % 2);
    const linearVelocities = Float32Array.from(scene.bodies.positions, (_, i) => Math.sin(i));
    const judgeOf = (filters: CollisionFilters, margin: number, duration: number): PairJudge => {
      const boxes = oracleBodies(scene.shapes, scene.bodies, { linear: linearVelocities, duration });
      return makePairJudge(scene.shapes, boxes, margin, (a, b) => arePaired(filters, a, b));
    };
    for (const [bodies, options, judge] of [
      [{ ...scene.bodies, groups, fixed }, { margin: 0.1 }, judgeOf({ groups, fixed }, 0.1, 0)],
      [{ ...scene.bodies, fixed, linearVelocities }, { duration: 0.5 }, judgeOf({ fixed }, 0, 0.5)],
    ] as const) {
      const [found, expected] = [await tester.findPairs(bodies, options), await reference.findPairs(bodies, options)];
      expect(expected.length).toBeGreaterThan(COUNT);
      expect(differenceFaults(judge, found, expected)).toEqual([]);
    }
  });

  test('that move for longer than f32 can tell have the pairs that the CPU finds', async () => {
    const linearVelocities = new Float32Array(3 * COUNT);
    linearVelocities[0] = 1;
    const bodies = { ...scene.bodies, linearVelocities };
    expect(await tester.findPairs(bodies, { duration: 1e39 })).toEqual(
      await reference.findPairs(bodies, { duration: Infinity }),
    );
  });

  test('at 64-bit positions far from the origin have the same pairs', async () => {
    // On a grid that f32 can't hold there.
    const near = Float64Array.from(scene.bodies.positions, (x) => Math.round(x * 64) / 64);
    const far = near.map((x, i) => x + [1e8, -1e8, 2e8][i % 3]);
    const expected = await tester.findPairs({ ...scene.bodies, positions: near });
    expect(await tester.findPairs({ ...scene.bodies, positions: far })).toEqual(expected);
  });

  test('give up with ABORTED, and the next search finds them', async () => {
    const controller = new AbortController();
    const aborted = tester.findPairs(scene.bodies, { signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await tester.findPairs(scene.bodies)).length).toBeGreaterThan(2 * COUNT);
  });

  test('in a crowd have as many pairs as there are', async () => {
    const crowded = { ...scene.bodies, positions: scene.bodies.positions.map((x) => x / 2) };
    const pairs = await tester.findPairs(crowded);
    expect(pairs.length / 2).toBeGreaterThan(9 * COUNT);
    expect(pairs).toEqual(await tester.findPairs(crowded));
    expect(pairs.length).toBeLessThanOrEqual((await tester.findPairs(crowded, { margin: 1e-3 })).length);
  });
});

test('an invalid body is refused', async () => {
  const positions = scene.bodies.positions.slice();
  positions[3 * 77] = NaN;
  await expect(tester.findPairs({ ...scene.bodies, positions })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a lost device rejects with DEVICE_LOST, and the next search opens another', async () => {
  const lost = await createTester({ backend: 'webgpu', gpu: keepDevices(HARDWARE).gpu });
  try {
    for (const shape of scene.shapes) lost.addShape(shape);
    const batch = await lost.createBatch({ query: 'intersects', maxBodies: 1, maxPairs: 1 });
    const running = lost.findPairs(scene.bodies);
    batch.device.destroy();
    await expect(running).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    expect((await lost.findPairs(scene.bodies)).length).toBeGreaterThan(2 * COUNT);
  } finally {
    lost.dispose();
  }
});
