/** Results of `impacts`: targets, results of many pairs and of none, and answers of the reference in place of open ones. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type ImpactOptions, type Impacts, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { makeGearedPrisms } from '../../verification/families/geared-prisms.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { impactAt } from '../../verification/judges/moving-pairs.ts';
import { columnsOf, movingFamily } from '../helpers/impacts.ts';

const SEED = 20_261_303;

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

describe('a target', () => {
  const family = movingFamily('sphere/sphere', 300, SEED);
  const { bodies, pairs, duration } = family;

  test.each(['webgpu', 'cpu'] as const)(
    'is written again on %s, and may be longer than the result',
    async (backend) => {
      const tester = backend === 'cpu' ? cpu : gpu;
      useShapes(tester, family.shapes);
      for (const results of ['all', 'hits', 'earliest'] as const) {
        const target = await tester.impacts(bodies, pairs, { duration });
        const part = pairs.subarray(100, 500);
        const fresh = await tester.impacts(bodies, part, { duration, results });
        const again = await tester.impacts(bodies, part, { duration, results, target });
        expect(columnsOf(again)).toEqual(columnsOf(fresh));
        expect(again.time.buffer).toBe(target.time.buffer);
        expect(again.point.buffer).toBe(target.point.buffer);
        expect([...again].length).toBe(again.count);
      }
    },
  );

  test('that is too short, or of another query, is refused', async () => {
    useShapes(gpu, family.shapes);
    const target = await gpu.impacts(bodies, pairs.subarray(0, 100), { duration });
    const ask = (given: unknown, results: ImpactOptions['results'] = 'all') =>
      gpu.impacts(bodies, pairs, { duration, results, target: given as Impacts });
    await expect(ask(target)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.pair is .*50.*at least 300/),
    });
    const contacts = await gpu.contacts(bodies, pairs);
    await expect(ask(contacts)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.time is /),
    });
    const wide = await gpu.impacts({ ...bodies, positions: Float64Array.from(bodies.positions) }, pairs, { duration });
    await expect(ask(wide)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.point is /),
    });
    expect((await ask(undefined)).count).toBe(300);
  });
});

describe('many pairs', () => {
  /**
   * Balls in a row of rows that fly at each other: ball i of the first half at ball i of the second, some too slowly to
   * meet, some past it.
   */
  const HALF = 4096;
  const random = createRandom(SEED);
  const gaps = Float32Array.from({ length: HALF }, () => uniform(random, 0.25, 4));
  const bodies: MovingBodies = {
    shapes: new Uint32Array(2 * HALF),
    positions: new Float32Array(6 * HALF),
    quaternions: Float32Array.from({ length: 8 * HALF }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    linearVelocities: new Float32Array(6 * HALF),
  };
  for (let i = 0; i < HALF; i++) {
    bodies.positions!.set([0, 0, i], 3 * i);
    bodies.positions!.set([1 + gaps[i], 0, i], 3 * (HALF + i));
    bodies.linearVelocities.set([i % 3, 0, 0], 3 * i);
    bodies.linearVelocities.set([-(i % 2), i % 5 === 4 ? 1000 : 0, 0], 3 * (HALF + i));
  }
  /** When ball i meets its partner. */
  const timeOf = (i: number): number => {
    const speed = (i % 3) + (i % 2);
    if (i % 5 === 4 || speed === 0) return Infinity;
    return gaps[i] / speed <= 1 ? gaps[i] / speed : Infinity;
  };
  const COUNT = 300_000;
  const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, k) =>
    k % 2 === 0 ? (k >> 1) % HALF : HALF + ((k >> 1) % HALF),
  );

  test('over several chunks have the times that each has alone', async () => {
    useShapes(gpu, [{ type: 'sphere', radius: 0.5 }]);
    const all = await gpu.impacts(bodies, pairs, { duration: 1 });
    expect(all.count).toBe(COUNT);
    let wrong = 0;
    let met = 0;
    for (let pair = 0; pair < COUNT; pair++) {
      const time = timeOf(pair % HALF);
      if (time < Infinity) met++;
      if (
        all.pair[pair] !== pair ||
        (time === Infinity ? all.time[pair] !== Infinity : !(Math.abs(all.time[pair] - time) <= 2e-5))
      )
        wrong++;
    }
    expect(wrong).toBe(0);
    expect(met).toBeGreaterThan(COUNT / 10);
    expect(all.statusCounts).toEqual([COUNT - met, met, 0, 0, 0]);
    const hits = await gpu.impacts(bodies, pairs, { duration: 1, results: 'hits' });
    expect(hits.count).toBe(met);
    expect(
      hits.pair.every((pair, slot) => timeOf(pair % HALF) < Infinity && (slot === 0 || hits.pair[slot - 1] < pair)),
    ).toBe(true);
    expect(hits.statusCounts).toEqual(all.statusCounts);
  });

  test('none at all give an empty result', async () => {
    useShapes(gpu, [{ type: 'sphere', radius: 0.5 }]);
    for (const results of ['all', 'hits', 'earliest'] as const) {
      const found = await gpu.impacts(bodies, new Uint32Array(0), { duration: 1, results });
      expect([found.count, [...found], found.statusCounts]).toEqual([0, [], [0, 0, 0, 0, 0]]);
      expect(found.first?.every((slot) => slot === 0xffff_ffff) ?? results !== 'earliest').toBe(true);
    }
  });
});

describe('pairs that the kernels leave open', () => {
  const family = makeGearedPrisms(40, 3);
  const { bodies, pairs, duration } = family;

  test.each(['all', 'hits'] as const)("get the reference's answer with escalate, results: '%s'", async (results) => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    const before = await gpu.impacts(bodies, pairs, { duration, results });
    const after = await gpu.impacts(bodies, pairs, { duration, results, escalate: true });
    const reference = await cpu.impacts(bodies, pairs, { duration });
    const open = Array.from(before.pair).filter((_, slot) => before.status[slot] === Status.NotConverged);
    expect(open.length).toBeGreaterThan(2);
    const slots = new Map(Array.from(after.pair, (pair, slot) => [pair, slot]));
    for (const pair of open) {
      const slot = slots.get(pair);
      if (slot === undefined) {
        expect(results).toBe('hits');
        expect(reference.status[pair]).toBe(Status.Separated);
        continue;
      }
      expect(impactAt(after, slot)).toEqual(impactAt(reference, pair));
    }
    expect(after.statusCounts[Status.NotConverged]).toBeLessThanOrEqual(
      open.filter((pair) => reference.status[pair] === Status.NotConverged).length,
    );
    expect(after.statusCounts.reduce((sum, n) => sum + n, 0)).toBe(pairs.length / 2);
  });
});
