/**
 * Every kernel of two dimensions once, on Dawn: each query by each algorithm, on a few pairs of all types of shape,
 * held against brute force. What each kernel computes in full is in the other files of this folder.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { planarPairsOf, planarTypePairNames } from '../../verification/families/planar-families.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import { planarSignedDistance } from '../../verification/oracle/planar.ts';
import { submit } from '../helpers/batch.ts';
import { kernelNames, recordKernels } from '../helpers/compiled.ts';
import { atNight } from '../helpers/night.ts';
import { manyRays } from '../helpers/many-rays.ts';
import { mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_123;
const MARGIN = 0.0625;

const { gpu, compiled } = recordKernels();

const family = mixPlanarTypes(planarTypePairNames, 8, SEED);
const boxes = mixPlanarTypes(
  planarTypePairNames.filter((name) => !/circle|capsule/.test(name)),
  8,
  SEED,
);
let tester: PlanarTester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu', dimension: 2, gpu });
});
afterAll(() => tester?.dispose());

test.each(['auto', 'sat', 'gjk', 'mpr'] as const)('queries by %s', async (algorithm) => {
  const { shapes, bodies, pairs } = algorithm === 'sat' ? boxes : family;
  usePlanarShapes(tester, shapes);
  const options = { algorithm, margin: Infinity };
  const { distance } = await tester.contacts(bodies, pairs, options);
  const apart = (await tester.distances(bodies, pairs, options)).distance;
  const { status } = await tester.intersects(bodies, pairs, { algorithm });
  const faults = planarPairsOf(algorithm === 'sat' ? boxes : family).flatMap(({ index, a, poseA, b, poseB, size }) => {
    const truth = planarSignedDistance(a, poseA, b, poseB).distance;
    const t = TOLERANCE.kernels * size;
    const isDeepEnough = algorithm === 'mpr' && truth < 0 ? distance[index] <= truth + t : false;
    const isRight =
      (isDeepEnough || Math.abs(distance[index] - truth) <= t) &&
      Math.abs(apart[index] - Math.max(truth, 0)) <= t &&
      (Math.abs(truth) <= t || status[index] === (truth <= 0 ? Status.Overlapping : Status.Separated));
    return isRight ? [] : [`seed ${SEED}, pair ${index}: ${distance[index]}, ${apart[index]}, expected ${truth}`];
  });
  expect(summary(faults)).toEqual([]);
});

const ALL_ALGORITHMS = ['auto', 'sat', 'gjk', 'mpr'] as const;

test.each(atNight<readonly (typeof ALL_ALGORITHMS)[number][]>(['auto', 'sat'], ALL_ALGORITHMS))(
  'manifolds by %s',
  async (algorithm) => {
    const { shapes, bodies, pairs } = algorithm === 'sat' ? boxes : family;
    usePlanarShapes(tester, shapes);
    const hits = await tester.manifolds(bodies, pairs, { algorithm, margin: MARGIN, results: 'hits' });
    expect(hits.count).toBeGreaterThan((0.3 * pairs.length) / 2);
  },
);

test.each([false, true])('impacts, turning: %s', async (isTurning) => {
  const { shapes, bodies, pairs, duration } = setPlanarInMotion(family, SEED + 1, isTurning);
  usePlanarShapes(tester, shapes);
  const all = await tester.impacts(bodies, pairs, { duration });
  const met = all.statusCounts[Status.Overlapping];
  expect(met).toBeGreaterThan(0.2 * all.count);
  expect((await tester.impacts(bodies, pairs, { duration, results: 'earliest' })).count).toBe(met);
});

test('rays', async () => {
  usePlanarShapes(tester, [{ type: 'circle', radius: 1 }]);
  const bodies = { shapes: Uint32Array.of(0), positions: Float32Array.of(5, 0), angles: Float32Array.of(0) };
  const rays = manyRays(2, { origins: Float32Array.of(0, 0, 0, 3), directions: Float32Array.of(1, 0, 1, 0) });
  const { time } = await tester.rayCasts(bodies, rays);
  expect([...time]).toEqual(Array.from(time, (_, ray) => (ray % 2 ? Infinity : 4)));
});

test('batches', async () => {
  const { shapes, bodies, pairs } = family;
  usePlanarShapes(tester, shapes);
  const room = { maxBodies: bodies.shapes.length, maxPairs: pairs.length / 2 };
  const batch = await tester.createBatch({ query: 'contacts', ...room, margin: Infinity });
  batch.write({ bodies, pairs });
  submit(batch);
  const { distance } = await batch.read();
  expect([...distance]).toEqual([...(await tester.contacts(bodies, pairs, { margin: Infinity })).distance]);
  batch.dispose();
});

test.each([
  { query: 'intersects' },
  { query: 'distances' },
  { query: 'contacts' },
  { query: 'manifolds', parts: 'all', results: 'hits' },
  { query: 'impacts', duration: 1 },
  { query: 'impacts', duration: 1, turning: true },
] as BatchOptions<'contacts' | 'manifolds' | 'impacts'>[])(
  'batches of $query with chains and compounds',
  async (options) => {
    const box: PlanarConvexDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
    usePlanarShapes(tester, [
      { type: 'compound', parts: [-0.5, 0.5].map((x) => ({ shape: box, position: [x, -0.5] })) },
      { type: 'chain', points: [-1, 0, 0, 0, 1, 0] },
      box,
    ]);
    const { query } = options;
    const batch = await tester.createBatch({ ...options, maxBodies: 3, maxPairs: 2 });
    const positions = Float32Array.of(0, 0, 0, 0, 0.1, 0.4);
    const bodies = { shapes: Uint32Array.of(0, 1, 2), positions, angles: new Float32Array(3) };
    const linearVelocities = Float32Array.of(0, 0, 0, 0, 0, -1);
    batch.write({
      bodies: query === 'impacts' ? { ...bodies, linearVelocities } : bodies,
      pairs: Uint32Array.of(0, 2, 2, 1),
    });
    submit(batch);
    expect((await batch.readCounts()).statusCounts[Status.Overlapping]).toBe(query === 'manifolds' ? 4 : 2);
    batch.dispose();
  },
);

test('pairs of bodies', async () => {
  usePlanarShapes(tester, [{ type: 'circle', radius: 1 }]);
  const batch = await tester.createBatch({ query: 'pairs', maxBodies: 3, maxPairs: 3 });
  const positions = Float32Array.of(0, 0, 1.5, 0, 0, 3);
  batch.write({ bodies: { shapes: new Uint32Array(3), positions, angles: new Float32Array(3) } });
  submit(batch);
  expect([...(await batch.read()).pairs]).toEqual([0, 1]);
  batch.dispose();
});

test('no kernel is left out', () => {
  expect([...compiled]).toEqual(expect.arrayContaining(kernelNames(2)));
});
