/**
 * `results: 'hits'` is `results: 'all'` filtered, and neither depends on how many pairs there are, on how they are cut
 * into chunks, or on the limits of the device.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Contacts, type Distances, type Intersections, type Tester } from '../../src/api/types.ts';
import type { QueryName } from '../../src/api/queries.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { ballDistance, ballPairs, balls, ballShapes, overlappingBalls } from '../helpers/balls.ts';
import { openOwnDevice, withoutErrors } from '../helpers/gpu.ts';

const SEED = 20_250_103;

let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

type AnyResult = Intersections | Distances | Contacts;
type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** The arrays of a result by name, cut to its slots. */
function columns(result: AnyResult): [name: string, width: number, values: Column][] {
  return Object.entries(result).flatMap(([name, values]) => {
    if (!ArrayBuffer.isView(values)) return [];
    const width = ['normal', 'pointA', 'pointB'].includes(name) ? 3 : 1;
    return [[name, width, (values as Column).subarray(0, width * result.count)]];
  });
}

/** Expects `hits` to be the slots `wanted` of `all`, bit for bit. */
function expectFiltered(hits: AnyResult, all: AnyResult, wanted: number[]): void {
  expect(hits.count).toBe(wanted.length);
  expect(hits.statusCounts).toEqual(all.statusCounts);
  const found = new Map(columns(hits).map(([name, , values]) => [name, values]));
  for (const [name, width, values] of columns(all)) {
    const filtered = wanted.flatMap((slot) => Array.from(values.subarray(width * slot, width * slot + width)));
    expect(Array.from(found.get(name) ?? []), name).toEqual(filtered);
  }
}

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  const tester = (): Tester => (backend === 'cpu' ? cpu : gpu);

  // Boxes take the way through SAT, the others do not; both have pairs that go on to a later stage.
  describe.each(['box-box', 'rounded-box-hull'] as const)('hits of %s', (name) => {
    const family = makeFamily(name, 2500, SEED);
    beforeAll(() => useShapes(tester(), family.shapes));

    test.each([0, 0.0625])('of intersects at margin %d are those that all results flag', async (margin) => {
      const all = await tester().intersects(family.bodies, family.pairs, { margin });
      const hits = await tester().intersects(family.bodies, family.pairs, { margin, results: 'hits' });
      const wanted = Array.from(all.pair).filter((pair) => all.hit[pair] === 1);
      expect(wanted.length).toBeGreaterThan(1000);
      expect(wanted.length).toBeLessThan(2000);
      expectFiltered(hits, all, wanted);
      expect([all.hits, hits.hits]).toEqual([wanted.length, wanted.length]);
    });

    test.each([0, 0.0625, Infinity])('of distances at margin %d are those at most that far apart', async (margin) => {
      const all = await tester().distances(family.bodies, family.pairs, { margin });
      const hits = await tester().distances(family.bodies, family.pairs, { margin, results: 'hits' });
      const wanted = Array.from(all.pair).filter((pair) => all.distance[pair] <= margin);
      expect(wanted.length).toBeGreaterThan(1000);
      if (margin === Infinity) expect(wanted.length).toBe(all.count);
      else expect(wanted.length).toBeLessThan(2000);
      expectFiltered(hits, all, wanted);
    });

    test.each([0, 0.0625])('of contacts at margin %d are those at most that far apart', async (margin) => {
      const all = await tester().contacts(family.bodies, family.pairs, { margin, bounds: true });
      const hits = await tester().contacts(family.bodies, family.pairs, { margin, bounds: true, results: 'hits' });
      const wanted = Array.from(all.pair).filter((pair) => all.distance[pair] <= margin);
      expect(wanted.length).toBeGreaterThan(1000);
      expect(wanted.length).toBeLessThan(2000);
      expectFiltered(hits, all, wanted);
    });
  });

  test.each([0, 1, 2, 63, 64, 65, 255, 257, 1023, 1024, 1025, 4095, 4097, 16_384, 16_385])(
    '%d pairs have as many answers',
    async (count) => {
      useShapes(tester(), ballShapes);
      const pairs = ballPairs(count);
      const overlapping = overlappingBalls(pairs);
      for (const query of ['intersects', 'distances', 'contacts'] as const satisfies QueryName[]) {
        const all: AnyResult = await tester()[query](balls, pairs, { margin: 0 });
        const hits: AnyResult = await tester()[query](balls, pairs, { margin: 0, results: 'hits' });
        expect(all.count).toBe(count);
        expect(Array.from(all.pair)).toEqual(Array.from({ length: count }, (_, pair) => pair));
        expect(Array.from(all.status)).toEqual(
          Array.from(all.pair, (pair) => (ballDistance(pairs, pair) < 0 ? Status.Overlapping : Status.Separated)),
        );
        expect(hits.pair).toEqual(overlapping);
        for (const { statusCounts } of [all, hits])
          expect(statusCounts).toEqual([count - overlapping.length, overlapping.length, 0, 0, 0]);
      }
    },
  );

  test('no hits, and nothing but hits', async () => {
    useShapes(tester(), ballShapes);
    const pairs = ballPairs(3000);
    const of = (isWanted: (distance: number) => boolean) =>
      pairs.filter((_, i) => isWanted(ballDistance(pairs, i >> 1)));
    const apart = of((distance) => distance > 0);
    const none = await tester().contacts(balls, apart, { results: 'hits' });
    expect([none.count, none.pair.length, [...none]]).toEqual([0, 0, []]);
    expect(none.statusCounts).toEqual([apart.length / 2, 0, 0, 0, 0]);
    const together = of((distance) => distance < 0);
    const every = await tester().contacts(balls, together, { results: 'hits' });
    expect(every.count).toBe(together.length / 2);
    expect(every.pair).toEqual(Uint32Array.from({ length: together.length / 2 }, (_, pair) => pair));
  });

  test('a target is written again, and its arrays may be longer than the result', async () => {
    useShapes(tester(), ballShapes);
    for (const query of ['intersects', 'distances', 'contacts'] as const satisfies QueryName[]) {
      const run = (pairs: Uint32Array, options: object): Promise<AnyResult> =>
        tester()[query](balls, pairs, { margin: Infinity, ...options });
      const target = await run(ballPairs(500), {});
      const pairs = ballPairs(700).subarray(2 * 400);
      for (const results of ['all', 'hits'] as const) {
        const fresh = await run(pairs, { results });
        const again = await run(pairs, { results, target });
        expect(columns(again)).toEqual(columns(fresh));
        expect(again.count).toBe(300);
        expect(again.statusCounts).toEqual(fresh.statusCounts);
        for (const [name, , values] of columns(again)) {
          expect(values.buffer, name).toBe((target as unknown as Record<string, Column>)[name].buffer);
        }
        expect([...again].length).toBe(300);
      }
    }
  });

  test('a target that is too short is refused, and the tester goes on', async () => {
    useShapes(tester(), ballShapes);
    const target = await tester().contacts(balls, ballPairs(99));
    const withoutBounds = await tester().contacts(balls, ballPairs(200));
    for (const results of ['all', 'hits'] as const) {
      const short = tester().contacts(balls, ballPairs(200), { target, results, margin: Infinity });
      await expect(short).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^options\.target\.pair is .*99.*at least 200/),
      });
    }
    const missing = tester().contacts(balls, ballPairs(200), { target: withoutBounds, bounds: true });
    await expect(missing).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('options.target.lower'),
    });
    expect((await tester().contacts(balls, ballPairs(200))).count).toBe(200);
  });

  test('a repeated run gives the same bits', async () => {
    for (const name of ['box-box', 'hull32-hull32'] as const) {
      const family = makeFamily(name, 1500, SEED + 1);
      useShapes(tester(), family.shapes);
      for (const results of ['all', 'hits'] as const) {
        const options = { results, margin: 0.5, bounds: true };
        const first = await tester().contacts(family.bodies, family.pairs, options);
        const second = await tester().contacts(family.bodies, family.pairs, options);
        expect(columns(second)).toEqual(columns(first));
      }
    }
  });
});

/** Expects a contact's distance, within the tolerance of the contract, at every pair. */
function expectBallDistances(found: Contacts, pairs: Uint32Array): void {
  let worst = 0;
  for (let slot = 0; slot < found.count; slot++)
    worst = Math.max(worst, Math.abs(found.distance[slot] - ballDistance(pairs, found.pair[slot])));
  expect(worst).toBeLessThan(1e-5);
}

describe('many pairs on webgpu', () => {
  beforeAll(() => useShapes(gpu, ballShapes));

  test('more contacts than one chunk holds', async () => {
    const count = 1_100_000;
    // The first chunk after a change of shapes has 65,536 pairs.
    const pairs = ballPairs(count);
    const overlapping = overlappingBalls(pairs);
    const all = await gpu.contacts(balls, pairs, { margin: Infinity });
    expect(all.count).toBe(count);
    expect(all.pair.every((pair, slot) => pair === slot)).toBe(true);
    expectBallDistances(all, pairs);
    const hits = await gpu.contacts(balls, pairs, { results: 'hits' });
    expect(hits.count).toBe(overlapping.length);
    expect(hits.pair.every((pair, slot) => pair === overlapping[slot])).toBe(true);
    expectBallDistances(hits, pairs);
    const every = await gpu.contacts(balls, pairs, { results: 'hits', margin: 1 });
    expect(every.count).toBe(count);
    expect(every.pair.every((pair, slot) => pair === slot)).toBe(true);
    expectBallDistances(every, pairs);
    for (const { statusCounts } of [all, hits, every])
      expect(statusCounts).toEqual([count - overlapping.length, overlapping.length, 0, 0, 0]);
  });

  test('more workgroups than one dimension of a grid has', async () => {
    const count = 65_535 * 64 + 100_000;
    const pairs = ballPairs(count);
    const overlapping = overlappingBalls(pairs);
    const all = await gpu.intersects(balls, pairs);
    let wrong = 0;
    for (let pair = 0; pair < count; pair++) if ((all.hit[pair] === 1) !== ballDistance(pairs, pair) < 0) wrong++;
    expect(wrong).toBe(0);
    const hits = await gpu.intersects(balls, pairs, { results: 'hits' });
    expect(hits.count).toBe(overlapping.length);
    expect(hits.pair.every((pair, slot) => pair === overlapping[slot])).toBe(true);
    for (const { statusCounts } of [all, hits])
      expect(statusCounts).toEqual([count - overlapping.length, overlapping.length, 0, 0, 0]);
  });
});

describe("a caller's device", () => {
  test('with default limits gives the answers of one with all limits raised, and outlives the tester', async () => {
    const device = await openOwnDevice();
    const family = makeFamily('box-box', 1500, SEED + 2);
    useShapes(gpu, family.shapes);
    const own = await createTester({ device });
    expect(own.backend).toBe('webgpu');
    useShapes(own, family.shapes);
    const options = { margin: 0.0625, results: 'hits' } as const;
    const found = await withoutErrors(device, () => own.contacts(family.bodies, family.pairs, options));
    expect(columns(found)).toEqual(columns(await gpu.contacts(family.bodies, family.pairs, options)));
    expect(found.count).toBeGreaterThan(500);
    own.dispose();
    const isLost = await Promise.race([
      device.lost.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 200, false)),
    ]);
    expect(isLost).toBe(false);
    await withoutErrors(device, async () => {
      device.createBuffer({ size: 16, usage: 4 }).destroy();
      await device.queue.onSubmittedWorkDone();
    });
    device.destroy();
  });
});
