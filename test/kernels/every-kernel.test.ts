/**
 * Every kernel of three dimensions once, on Dawn, on a few pairs beside the CPU reference: those of boxes, of
 * batches, and of searches for pairs, parts and hits of rays. `every-curved-kernel.test.ts` has the other queries. What
 * each kernel computes in full is in the other files of this folder.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { pairFaults } from '../helpers/pair-judge.ts';
import { kernelNames, ofCurvedPairs, recordKernels } from '../helpers/compiled.ts';
import { describeEveryQuery, type EveryQuery } from '../helpers/every-query.ts';
import { HARDWARE } from '../helpers/gpu.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { ALL_SORTS } from '../helpers/part-batches.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;

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

/** In CI, only algorithms that run kernels of their own. */
describeEveryQuery('box-box', gpu, {
  algorithms: atNight<EveryQuery['algorithms']>(['auto', 'sat'], ['auto', 'sat', 'gjk', 'mpr']),
  ofImpacts: atNight<EveryQuery['ofImpacts']>(['auto'], ['auto', 'cast', 'velocity-epa']),
  warm: atNight([true], [false, true]),
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
      // The kernels are those of other files, which compile once.
      ...ALL_SORTS,
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

test('impacts of pairs of parts', async () => {
  for (const each of [reference, hardware])
    useShapes(each, [
      { type: 'mesh', ...makeSheet(4, () => 0) },
      { type: 'sphere', radius: 0.25 },
    ]);
  const bodies = {
    shapes: Uint32Array.of(0, 1, 1),
    positions: Float32Array.of(0, 0, 0, 0.1, 0.9, 0.1, -0.2, 0.24, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.of(0, 0, 0, 0.1, -1, 0, 0.1, -1, 0),
  };
  const pairs = Uint32Array.of(0, 1, 2, 0);
  const options = { duration: 1, stopAtPenetration: false } as const;
  const room = { maxBodies: 3, maxPairs: 2, maxPartPairs: 200 };
  for (const turning of [false, true]) {
    using batch = await hardware.createBatch({ query: 'impacts', ...room, ...options, turning });
    const moving = { ...bodies, ...(turning && { angularVelocities: Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0, 0) }) };
    batch.write({ bodies: moving, pairs });
    submit(batch);
    const { unclampedTime } = await batch.read();
    const expected = await reference.impacts(moving, pairs, options);
    for (const [i, each] of unclampedTime.entries()) expect(each).toBeCloseTo(expected.unclampedTime[i], 5);
  }
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
  const here = kernelNames(3).filter((name) => !ofCurvedPairs.test(name));
  expect([...compiled, ...ofHardware.compiled]).toEqual(expect.arrayContaining(here));
});
