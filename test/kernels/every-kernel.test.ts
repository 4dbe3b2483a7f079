/**
 * Every kernel of three dimensions once, on Dawn: each query by each algorithm, on a few pairs of all types of shape, beside the CPU
 * reference. What each kernel computes in full is in the other files of this folder.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import type { Family } from '../../verification/families/family.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { pairFaults } from '../helpers/pair-judge.ts';
import { kernelNames, recordKernels } from '../helpers/compiled.ts';
import { HARDWARE } from '../helpers/gpu.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const PAIRS = 200;
const MARGIN = 0.0625;

const { gpu, compiled } = recordKernels();
const ofHardware = recordKernels(HARDWARE.info);

let tester: Tester;
/** On the same adapter, which says that it is hardware: for searches of pairs, rays and parts. */
let hardware: Tester;
let reference: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu', gpu });
  hardware = await createTester({ backend: 'webgpu', gpu: ofHardware.gpu });
  reference = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  tester?.dispose();
  hardware?.dispose();
  reference?.dispose();
});

const ALL_ALGORITHMS = ['auto', 'sat', 'gjk', 'mpr'] as const;
const ALL_OF_IMPACTS = ['auto', 'cast', 'velocity-epa'] as const;

/** In CI, only algorithms that run kernels of their own. */
describe.each([
  {
    name: 'box-box',
    algorithms: atNight<readonly (typeof ALL_ALGORITHMS)[number][]>(['auto', 'sat'], ALL_ALGORITHMS),
    ofImpacts: atNight<readonly (typeof ALL_OF_IMPACTS)[number][]>(['auto'], ALL_OF_IMPACTS),
    warm: atNight([true], [false, true]),
  },
  {
    name: 'curved',
    algorithms: ['auto', 'gjk', 'mpr'],
    ofImpacts: atNight<readonly (typeof ALL_OF_IMPACTS)[number][]>(['auto', 'velocity-epa'], ALL_OF_IMPACTS),
    warm: atNight([false], [false, true]),
  },
] as const)('$name', ({ name, algorithms, ofImpacts, warm }) => {
  const family = browserFamily(name, PAIRS, SEED);
  const { bodies, pairs } = family;
  const turning = setInMotion(family, SEED + 1, { isTurning: true });
  const straight = setInMotion(family, SEED + 1, { isTurning: false });
  let truth: Float32Array;
  beforeAll(async () => {
    useShapes(tester, family.shapes);
    useShapes(reference, family.shapes);
    truth = (await reference.contacts(bodies, pairs, { margin: Infinity })).distance;
  });

  test.each(algorithms)('intersections, distances and contacts by %s', async (algorithm) => {
    const { status } = await tester.intersects(bodies, pairs, { algorithm });
    expect(statusFaults(family, status, truth)).toEqual([]);
    const distances = await tester.distances(bodies, pairs, { algorithm });
    expect(
      distanceFaults(
        family,
        distances.distance,
        truth.map((distance) => Math.max(distance, 0)),
      ),
    ).toEqual([]);
    const contacts = await tester.contacts(bodies, pairs, { algorithm, margin: Infinity });
    expect(statusFaults(family, contacts.status, truth)).toEqual([]);
    // The depth of portal refinement is an upper bound.
    const known = truth.map((distance, i) => (algorithm === 'mpr' && distance < 0 ? contacts.distance[i] : distance));
    expect(distanceFaults(family, contacts.distance, known)).toEqual([]);
    const hits = await tester.contacts(bodies, pairs, { algorithm, margin: MARGIN, results: 'hits' });
    expect(hits.count).toBeGreaterThan(0.3 * PAIRS);
  });

  test.each([0, MARGIN])('manifolds with a margin of %d', async (margin) => {
    const expected = await reference.manifolds(bodies, pairs, { margin });
    const found = await tester.manifolds(bodies, pairs, { margin });
    expect(statusFaults(family, found.status, truth)).toEqual([]);
    const alike = found.pointCount.filter((count, i) => count === expected.pointCount[i]).length;
    expect(alike).toBeGreaterThan((name === 'curved' ? 0.9 : 0.99) * PAIRS);
  });

  test.each(ofImpacts)('impacts by %s', async (algorithm) => {
    for (const moving of [straight, turning]) {
      const { duration } = moving;
      const found = await tester.impacts(moving.bodies, pairs, { duration, algorithm });
      const expected = await reference.impacts(moving.bodies, pairs, { duration });
      const alike = found.status.filter((status, i) => status === expected.status[i]).length;
      expect(alike).toBeGreaterThan(0.95 * PAIRS);
      expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(0.2 * PAIRS);
      const first = await tester.impacts(moving.bodies, pairs, { duration, algorithm, results: 'earliest' });
      expect(first.count).toBe(found.statusCounts[Status.Overlapping]);
    }
  });

  test('batches', async () => {
    const room = { maxBodies: 2 * PAIRS, maxPairs: PAIRS };
    for (const isWarm of warm) {
      const batch = { margin: Infinity, warmStart: isWarm };
      const contacts = await tester.createBatch({ query: 'contacts', ...room, ...batch });
      for (let turn = 0; turn < 2; turn++) {
        contacts.write({ bodies, pairs });
        submit(contacts);
        expect(distanceFaults(family, (await contacts.read()).distance, truth)).toEqual([]);
      }
      contacts.dispose();
    }
    const { duration } = straight;
    const options = { duration, results: 'earliest', stopAtPenetration: false } as const;
    const impacts = await tester.createBatch({ query: 'impacts', ...room, ...options });
    impacts.write({ bodies: straight.bodies, pairs });
    submit(impacts);
    const { count } = await tester.impacts(straight.bodies, pairs, options);
    expect(count).toBeGreaterThan(0.1 * PAIRS);
    expect((await impacts.read()).count).toBe(count);
    impacts.dispose();
  });
});

test('pairs of bodies', async () => {
  const scene = broadPhaseScene('halfspaces', 500, SEED);
  useShapes(tester, scene.shapes);
  const batch = await tester.createBatch({ query: 'pairs', maxBodies: 500, maxPairs: 5000 });
  batch.write({ bodies: scene.bodies });
  submit(batch);
  const { pairs } = await batch.read();
  expect(pairFaults(scene.shapes, oracleBodies(scene.shapes, scene.bodies), pairs, 0)).toEqual([]);
  expect(pairs.length).toBeGreaterThan(500);
  batch.dispose();
  const room = { maxBodies: 500, maxPairs: 5000 };
  const intersects = await tester.createBatch({ query: 'intersects', ...room, broadPhase: true });
  intersects.write({ bodies: scene.bodies });
  submit(intersects);
  const { count, hits } = await intersects.read();
  expect(count).toBe(pairs.length / 2);
  expect(hits).toBeGreaterThan(100);
  intersects.dispose();
  // From so many bodies on, graphics cards search them.
  const many = broadPhaseScene('similar', 2 ** 14, SEED);
  useShapes(hardware, many.shapes);
  expect((await hardware.findPairs(many.bodies)).length).toBeGreaterThan(2 ** 15);
});

test('rays', async () => {
  const scene = broadPhaseScene('halfspaces', 200, SEED);
  // Their pairs are found on hardware, and by the CPU for the other adapter.
  const count = 2 ** 14;
  const random = createRandom(SEED);
  const vectors = (low: number, high: number): Float32Array =>
    Float32Array.from({ length: 3 * count }, () => uniform(random, low, high));
  const rays = { origins: vectors(-2, 8), directions: vectors(-1, 1) };
  for (const each of [tester, hardware]) useShapes(each, scene.shapes);
  const [found, expected] = [await hardware.rayCasts(scene.bodies, rays), await tester.rayCasts(scene.bodies, rays)];
  expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(count / 10);
  expect(found.body).toEqual(expected.body);
  expect(found.time).toEqual(expected.time);
  const room = { maxBodies: 200, maxRays: count, maxPairs: 2 ** 20 };
  using batch = await tester.createBatch({ query: 'rayCasts', ...room });
  batch.write({ bodies: scene.bodies, rays });
  submit(batch);
  expect((await batch.read()).body).toEqual(expected.body);
});

test('pairs of parts', async () => {
  const sheet = makeSheet(24, (x, z) => 0.3 * Math.sin(5 * x) * Math.cos(4 * z));
  const random = createRandom(SEED);
  // From so many tests of boxes on, graphics cards search the rest.
  const count = 120;
  const bodies = {
    shapes: new Uint32Array(2 * count),
    positions: Float32Array.from({ length: 6 * count }, () => uniform(random, -0.3, 0.3)),
    quaternions: Float32Array.from({ length: 8 * count }, () => uniform(random, -1, 1)),
  };
  const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => i);
  for (const each of [reference, hardware]) useShapes(each, [{ type: 'mesh', ...sheet }]);
  const [found, expected] = [await hardware.trianglePairs(bodies, pairs), await reference.trianglePairs(bodies, pairs)];
  expect(found.count).toBeGreaterThan(1000);
  expect(found.triangleA).toEqual(expected.triangleA);
  expect(found.triangleB).toEqual(expected.triangleB);
  using batch = await hardware.createBatch({
    query: 'intersects',
    maxBodies: 2 * count,
    maxPairs: count,
    maxPartPairs: 200_000,
  });
  batch.write({ bodies, pairs });
  submit(batch);
  expect((await batch.read()).hit).toEqual((await reference.intersects(bodies, pairs)).hit);
  expect(await batch.readCounts()).toMatchObject({ partPairOverflow: 0 });
});

test('distances of pairs of parts', async () => {
  for (const each of [reference, hardware])
    useShapes(each, [
      { type: 'mesh', ...makeSheet(4, () => 0) },
      { type: 'sphere', radius: 0.25 },
    ]);
  const bodies = {
    shapes: Uint32Array.of(0, 1, 1),
    positions: Float32Array.of(0, 0, 0, 0.1, 0.5, 0.1, -0.2, 0.24, 3),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const pairs = Uint32Array.of(0, 1, 2, 0, 1, 2);
  using batch = await hardware.createBatch({ query: 'distances', maxBodies: 3, maxPairs: 3 });
  batch.write({ bodies, pairs });
  submit(batch);
  const { distance } = await batch.read();
  const expected = await reference.distances(bodies, pairs);
  for (const [i, each] of distance.entries()) expect(each).toBeCloseTo(expected.distance[i], 5);
});

test('contacts of pairs of parts', async () => {
  const sheet = makeSheet(4, () => 0);
  for (const each of [reference, hardware])
    useShapes(each, [
      { type: 'mesh', ...sheet },
      { type: 'sphere', radius: 0.25 },
    ]);
  const bodies = {
    shapes: Uint32Array.of(0, 1, 1),
    positions: Float32Array.of(0, 0, 0, 0.1, 0.2, 0.1, -0.2, 0.24, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const pairs = Uint32Array.of(0, 1, 2, 0);
  using batch = await hardware.createBatch({ query: 'contacts', maxBodies: 3, maxPairs: 2 });
  batch.write({ bodies, pairs });
  submit(batch);
  const { distance } = await batch.read();
  const expected = await reference.contacts(bodies, pairs);
  for (const [i, each] of distance.entries()) expect(each).toBeCloseTo(expected.distance[i], 5);
});

test('64-bit positions, and hits as records', async () => {
  useShapes(tester, [{ type: 'sphere', radius: 1 }]);
  const positions = Float64Array.of(1e7 + 1 / 3, 0, 0, 1e7 + 4 / 3, 0, 0, 0, 0, 0);
  const bodies = {
    shapes: new Uint32Array(3),
    positions,
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const options = { results: 'hits', escalate: true } as const;
  const { count, distance } = await tester.contacts(bodies, Uint32Array.of(0, 2, 0, 1), options);
  expect([count, distance[0]]).toEqual([1, -1]);
});

test('no kernel is left out', () => {
  expect([...compiled, ...ofHardware.compiled]).toEqual(expect.arrayContaining(kernelNames(3)));
});

/** Where the status is not that of the true distance. */
function statusFaults(family: Family, status: Uint8Array, truth: Float32Array): string[] {
  return summary(
    pairsOf(family).flatMap(({ index, a, b, size }) => {
      const distance = truth[index];
      const t = toleranceOf('kernels', a.core, b.core, distance <= 0) * size;
      const expected = distance <= 0 ? Status.Overlapping : Status.Separated;
      return Math.abs(distance) <= t || status[index] === expected
        ? []
        : [`seed ${SEED}, pair ${index}: status ${status[index]} at ${distance}`];
    }),
  );
}

function distanceFaults(family: Family, found: ArrayLike<number>, truth: Float32Array): string[] {
  return summary(
    pairsOf(family).flatMap(({ index, a, b, size }) => {
      const t = toleranceOf('kernels', a.core, b.core, truth[index] <= 0) * size;
      return Math.abs(found[index] - truth[index]) <= t
        ? []
        : [`seed ${SEED}, pair ${index}: distance ${found[index]}, expected ${truth[index]}`];
    }),
  );
}
