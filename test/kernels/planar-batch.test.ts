/**
 * Batches of two-dimensional testers: each query's gives what the tester's query gives, bit for bit, and goes along
 * with shapes, durations and numbers of pairs that change.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Batch, BatchReadOptions } from '../../src/api/batch.ts';
import { createTester } from '../../src/node.ts';
import { packBodies, packVelocities } from '../../src/records/bodies.ts';
import type { QueryResults } from '../../src/api/queries.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import {
  Status,
  type Impacts,
  type PlanarBodies,
  type PlanarMovingBodies,
  type PlanarTester,
  type PlanarTypes,
  type PlanarVector,
} from '../../src/api/types.ts';
import { layouts } from '../../src/wgsl.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { answersOf, mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_312;
const PAIRS = 600;
const NOTHING = 0xffff_ffff;

let device: GPUDevice;
let tester: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-batch.device');
  tester = await createTester({ dimension: 2, device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

type PlanarBatch<Result> = Batch<Result, PlanarTypes>;
type Results = QueryResults<PlanarVector>;

/** One frame from upload to result, with no error of the device. */
async function frame<Result>(
  batch: PlanarBatch<Result>,
  data: Parameters<PlanarBatch<Result>['write']>[0],
  options?: BatchReadOptions<Result>,
): Promise<Result> {
  return withoutErrors(device, () => {
    batch.write(data);
    submit(batch);
    return batch.read(options);
  });
}

function refusedAt(field: string): unknown {
  return expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(`^${field} is`) });
}

describe('queries of bodies that stand', () => {
  const { shapes, bodies, pairs } = mixPlanarTypes(['rectangle/polygon'], PAIRS, SEED);

  beforeAll(() => usePlanarShapes(tester, shapes));

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    '%s are the tester’s, all and hits',
    async (query) => {
      for (const results of ['all', 'hits'] as const) {
        const options = { margin: 0.0625, results };
        const expected: Results[typeof query] = await tester[query](bodies, pairs, options);
        const batch = await tester.createBatch({ query, maxBodies: 2 * PAIRS + 10, maxPairs: PAIRS + 100, ...options });
        const found = await frame(batch as PlanarBatch<Results['contacts']>, { bodies, pairs });
        expect(withoutPoints(found)).toEqual(withoutPoints(expected));
        // Of pairs that overlap `distances` have no points, and `intersects` never.
        expectPoints(
          found,
          expected,
          bodies,
          pairs,
          { intersects: 0, distances: 0.04 * PAIRS, contacts: 0.4 * PAIRS, manifolds: 0.4 * PAIRS }[query],
        );
        expect(found.count).toBeGreaterThan(PAIRS / 3);
        expect(await batch.readCounts()).toMatchObject({
          pairs: PAIRS,
          pairOverflow: 0,
          hitOverflow: 0,
          statusCounts: expected.statusCounts,
        });
        batch.dispose();
      }
    },
  );

  test('contacts by an algorithm of their own, with bounds, into a target', async () => {
    const options = { algorithm: 'mpr', mprDepth: 'ray', margin: 0.0625 } as const;
    const expected = await tester.contacts(bodies, pairs, { ...options, bounds: true });
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, ...options });
    const target = await tester.contacts(bodies, pairs, { bounds: true });
    const found = await frame(batch, { bodies, pairs }, { target, bounds: true });
    expect(withoutPoints(found)).toEqual(withoutPoints(expected));
    expect(found.lower!.buffer).toBe(target.lower!.buffer);
    batch.dispose();
  });

  test('frames may have other bodies and other pairs, of which the batch keeps what is not written', async () => {
    const batch = await tester.createBatch({ query: 'distances', maxBodies: 2 * PAIRS, maxPairs: PAIRS });
    await frame(batch, { bodies, pairs });
    const half = pairs.subarray(0, PAIRS);
    expect(withoutPoints(await frame(batch, { pairs: half }))).toEqual(
      withoutPoints(await tester.distances(bodies, half)),
    );
    const moved = { ...bodies, positions: bodies.positions.map((x, i) => x + (i % 4 === 0 ? 1 : 0)) };
    expect(withoutPoints(await frame(batch, { bodies: moved }))).toEqual(
      withoutPoints(await tester.distances(moved, half)),
    );
    batch.dispose();
  });

  test('what can’t be used is refused by name, before anything is written', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS });
    expect(() => batch.write({ bodies: { ...bodies, angles: undefined as never } })).toThrowError(
      refusedAt('bodies.angles'),
    );
    expect(() =>
      batch.write({ bodies: { ...bodies, quaternions: new Float32Array(8 * PAIRS) } as never }),
    ).toThrowError(refusedAt('bodies.quaternions'));
    expect(() => batch.write({ bodies: { ...bodies, positions: Float64Array.from(bodies.positions) } })).toThrowError(
      refusedAt('bodies.positions'),
    );
    expect(() => batch.write({ bodies, duration: 1 })).toThrowError(refusedAt('duration'));
    const poses = device.createBuffer({ size: 16 * 2 * PAIRS - 4, usage: 128 });
    await expect(
      tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, poses }),
    ).rejects.toEqual(refusedAt('options.poses.size'));
    await expect(
      tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, warmStart: true }),
    ).rejects.toEqual(refusedAt('options.warmStart'));
    batch.dispose();
  });
});

/** What an item of a result may have in world space. */
interface Placed {
  pair: number;
  pointA?: number[];
  pointB?: number[];
  point?: number[];
  points?: { position: number[] }[];
}

/** Everything but points: a batch places them on the GPU, in f32, the tester in double precision. */
function withoutPoints(result: Parameters<typeof answersOf>[0]): ReturnType<typeof answersOf> {
  const { items, ...others } = answersOf(result);
  const none = { pointA: undefined, pointB: undefined, point: undefined };
  return {
    ...others,
    items: (items as Placed[]).map((item) => ({
      ...item,
      ...none,
      points: item.points?.map((point) => ({ ...point, position: undefined })),
    })),
  };
}

function coordinatesOf({ pointA = [], pointB = [], points = [] }: Placed): number[] {
  return [...pointA, ...pointB, ...points.flatMap(({ position }) => position)];
}

/** That points are the tester's but for rounding of the coordinates that they are sums of; so many at least. */
function expectPoints(
  found: Iterable<unknown>,
  expected: Iterable<unknown>,
  { positions }: PlanarBodies,
  pairs: Uint32Array,
  atLeast: number,
): void {
  const others = [...expected] as Placed[];
  let compared = 0;
  for (const [slot, item] of ([...found] as Placed[]).entries()) {
    const a = 2 * pairs[2 * item.pair];
    const theirs = coordinatesOf(others[slot]);
    const ours = coordinatesOf(item);
    ours.forEach((x, i) =>
      expect(Math.abs(x - theirs[i]), `slot ${slot}`).toBeLessThanOrEqual(
        4 * F32_ROUNDING * (Math.abs(theirs[i]) + Math.abs(positions[a + (i % 2)])),
      ),
    );
    if (ours.some((x) => x !== 0)) compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(atLeast);
}

/** That a batch's impacts are the tester's, with a slot a body of as many as there is room for. */
function expectSame(
  found: Impacts<PlanarVector>,
  expected: Impacts<PlanarVector>,
  { positions, linearVelocities, shapes }: PlanarMovingBodies,
  pairs: Uint32Array,
): void {
  const count = shapes.length;
  const { first, ...answers } = withoutPoints(found);
  const { first: expectedFirst, ...others } = withoutPoints(expected);
  expect(answers).toEqual(others);
  // A slot a body, of as many as there is room for.
  expect(first?.slice(0, count)).toEqual(expectedFirst);
  expect(first?.slice(count).every((slot) => slot === NOTHING) ?? true).toBe(true);
  for (let slot = 0; slot < expected.count; slot++) {
    const a = 2 * pairs[2 * expected.pair[slot]];
    const moved = Number.isFinite(expected.unclampedTime[slot]) ? expected.unclampedTime[slot] : 0;
    for (let k = 0; k < 2; k++) {
      const size =
        Math.abs(expected.point[2 * slot + k]) + Math.abs(positions[a + k]) + Math.abs(moved * linearVelocities[a + k]);
      expect(Math.abs(found.point[2 * slot + k] - expected.point[2 * slot + k]), `slot ${slot}`).toBeLessThanOrEqual(
        4 * F32_ROUNDING * size,
      );
    }
  }
}

describe('impacts', () => {
  const still = mixPlanarTypes(['rectangle/polygon'], PAIRS, SEED + 1);
  const straight = setPlanarInMotion(still, SEED + 2, false);
  const turning = setPlanarInMotion(still, SEED + 2, true);

  beforeAll(() => usePlanarShapes(tester, still.shapes));

  /** Every body in several pairs, so that a first impact is one of many. */
  const crowded = Uint32Array.from({ length: 3 * still.pairs.length }, (_, i) => {
    if (i < still.pairs.length) return still.pairs[i];
    const a = (i >> 1) % still.pairs.length;
    return i % 2 === 0 ? a : (a + 1 + (i % 7)) % still.pairs.length;
  });
  const room = { maxBodies: still.pairs.length + 10, maxPairs: crowded.length / 2 + 100 };

  test.each([
    ['all', false],
    ['hits', false],
    ['earliest', false],
    ['hits', true],
    ['earliest', true],
  ] as const)("with results: '%s', turning: %s, are the tester's", async (results, isTurning) => {
    const { bodies, duration } = isTurning ? turning : straight;
    const expected = await tester.impacts(bodies, crowded, { duration, results });
    const batch = await tester.createBatch({ query: 'impacts', duration, turning: isTurning, results, ...room });
    const found = await frame(batch, { bodies, pairs: crowded });
    expectSame(found, expected, bodies, crowded);
    expect(found.count).toBeGreaterThan(PAIRS / 4);
    const counts = await batch.readCounts();
    expect(counts).toMatchObject({
      pairs: crowded.length / 2,
      pairOverflow: 0,
      hitOverflow: 0,
      statusCounts: expected.statusCounts,
    });
    if (results !== 'all') expect(counts.hits).toBe(expected.count);
    if (results === 'earliest') {
      // Each body's first is one of its own, and none of its others comes before.
      const all = await tester.impacts(bodies, crowded, { duration });
      const earliest = new Float64Array(bodies.shapes.length).fill(Infinity);
      crowded.forEach((body, i) => (earliest[body] = Math.min(earliest[body], all.time[i >> 1])));
      earliest.forEach((time, body) => {
        const slot = found.first![body];
        if (slot === NOTHING) expect(time, `body ${body}`).toBe(Infinity);
        else
          expect(
            [found.time[slot], crowded.subarray(2 * found.pair[slot], 2 * found.pair[slot] + 2).includes(body)],
            `body ${body}`,
          ).toEqual([time, true]);
      });
      // On the GPU they are pairs.
      const first = new Uint32Array(await readBuffer(device, batch.output.first!));
      expect(Array.from(first, (pair) => (pair === NOTHING ? NOTHING : found.pair.indexOf(pair)))).toEqual(
        Array.from(found.first!),
      );
    }
    batch.dispose();
  });

  test('the duration changes with a write, alone or with others, and stays', async () => {
    const { bodies, pairs, duration } = straight;
    const batch = await tester.createBatch({ query: 'impacts', duration, ...room });
    const expected = (seconds: number): Promise<Impacts<PlanarVector>> =>
      tester.impacts(bodies, pairs, { duration: seconds });
    expectSame(await frame(batch, { bodies, pairs }), await expected(duration), bodies, pairs);
    expectSame(await frame(batch, { duration: duration / 4 }), await expected(duration / 4), bodies, pairs);
    expectSame(await frame(batch, { pairs }), await expected(duration / 4), bodies, pairs);
    expectSame(await frame(batch, { duration: Infinity }), await expected(Infinity), bodies, pairs);
    expect((await expected(duration)).statusCounts).not.toEqual((await expected(duration / 4)).statusCounts);
    batch.dispose();
  });

  test('bodies turn only where the batch was made for it, and by no more than 32 radians', async () => {
    const { bodies, pairs, duration } = turning;
    const upright = await tester.createBatch({ query: 'impacts', duration, ...room });
    expect(() => upright.write({ bodies, pairs })).toThrowError(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^bodies\.angularVelocities is .*turning: true/),
      }),
    );
    const batch = await tester.createBatch({ query: 'impacts', duration, turning: true, ...room });
    batch.write({ bodies, pairs });
    const spin = Math.max(...bodies.angularVelocities!.map(Math.abs));
    expect(() => batch.write({ duration: 33 / spin })).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^duration is .*32 radians/) }),
    );
    upright.dispose();
    batch.dispose();
  });

  test('the caller’s poses and velocities are read in place, and wrong ones are invalid for their own pairs alone', async () => {
    const { bodies, pairs, duration } = turning;
    const motion = { linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration };
    const poses = packBodies(bodies, dimension2).poses;
    const data = packVelocities(motion, dimension2);
    const velocityWords = layouts.PlanarVelocity.size / 4;
    const { angular } = layouts.PlanarVelocity.fields;
    const given = {
      poses: storageBuffer(device, 'poses', poses),
      shapes: storageBuffer(device, 'shapes', bodies.shapes as Uint32Array<ArrayBuffer>),
      pairs: storageBuffer(device, 'pairs', pairs as Uint32Array<ArrayBuffer>),
      velocities: storageBuffer(device, 'velocities', data),
    };
    const batch = await tester.createBatch({
      query: 'impacts',
      duration,
      turning: true,
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      ...given,
    });
    submit(batch);
    const clean = await batch.read();
    expectSame(clean, await tester.impacts(bodies, pairs, { duration }), bodies, pairs);
    data[velocityWords * 4] = NaN;
    data[velocityWords * 11 + 1] = Infinity;
    data[velocityWords * 20 + angular.offset / 4] = 33 / duration;
    data[velocityWords * 31 + angular.offset / 4] = NaN;
    device.queue.writeBuffer(given.velocities, 0, data);
    submit(batch);
    const found = await withoutErrors(device, () => batch.read());
    const bad = [2, 5, 10, 15];
    expect(Array.from(found.pair).filter((pair) => found.status[pair] === Status.InvalidInput)).toEqual(bad);
    expect([...found].filter(({ pair }) => !bad.includes(pair))).toEqual(
      [...clean].filter(({ pair }) => !bad.includes(pair)),
    );
    batch.dispose();
  });
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
