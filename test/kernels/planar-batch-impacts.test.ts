/** Batches of impacts in 2-D: results are those of the tester's query, also when durations and velocities change. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { packVelocities } from '../../verification/records/packed-bodies.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { Status, type Impacts, type PlanarMovingBodies, type PlanarTester, type Vec2 } from '../../src/api/types.ts';
import { layouts } from '../../src/wgsl.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';
import { frame, withoutPoints } from '../helpers/planar-batch.ts';

const SEED = 20_261_312;
const PAIRS = 600;
const NOTHING = 0xffff_ffff;

let device: GPUDevice;
let tester: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-batch-impacts.device');
  tester = await createTester({ dimension: 2, device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

/** That a batch's impacts are the tester's, with a slot a body of as many as there is room for. */
function expectSame(
  found: Impacts<Vec2>,
  expected: Impacts<Vec2>,
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
    const expected = (seconds: number): Promise<Impacts<Vec2>> => tester.impacts(bodies, pairs, { duration: seconds });
    expectSame(await frame(batch, { bodies, pairs }), await expected(duration), bodies, pairs);
    expectSame(await frame(batch, { duration: duration / 4 }), await expected(duration / 4), bodies, pairs);
    expectSame(await frame(batch, { pairs }), await expected(duration / 4), bodies, pairs);
    expectSame(await frame(batch, { duration: Infinity }), await expected(Infinity), bodies, pairs);
    expect((await expected(duration)).statusCounts).not.toEqual((await expected(duration / 4)).statusCounts);
    batch.dispose();
  });

  test('bodies turn only where the batch was made for it, and pairs of those beyond 32 radians are invalid', async () => {
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
    const spins = bodies.angularVelocities!.map(Math.abs);
    const longer = 64 / Math.max(...spins);
    const isInvalid = (_: unknown, pair: number): boolean =>
      [pairs[2 * pair], pairs[2 * pair + 1]].some((body) => spins[body] * longer > 32);
    const expected = Array.from({ length: pairs.length / 2 }, isInvalid);
    expect(new Set(expected)).toEqual(new Set([true, false]));
    const { status } = await frame(batch, { duration: longer });
    const answers = await tester.impacts(bodies, pairs, { duration: longer });
    expect(Array.from(status, (each) => each === Status.InvalidInput)).toEqual(expected);
    expect(Array.from(answers.status, (each) => each === Status.InvalidInput)).toEqual(expected);
    upright.dispose();
    batch.dispose();
  });

  test('the caller’s poses and velocities are read in place, and wrong ones are invalid for their own pairs alone', async () => {
    const { bodies, pairs, duration } = turning;
    const motion = { linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration };
    // As the tester packs them.
    const packed = await tester.createBatch({ query: 'intersects', maxBodies: 2 * PAIRS, maxPairs: 1 });
    packed.write({ bodies });
    const data = packVelocities(motion, dimension2);
    const velocityWords = layouts.PlanarVelocity.size / 4;
    const { angular } = layouts.PlanarVelocity.fields;
    const given = {
      poses: packed.input.poses,
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
