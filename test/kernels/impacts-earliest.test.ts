/**
 * `results: 'earliest'` is what a walk over all impacts finds: of each body the first, of equals the one less far
 * ahead, then the lower pair.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { below, createRandom, uniform } from '../../verification/families/random.ts';
import { allPairs, BALL, bodiesOf, expectEarliest, expectReduced, NOTHING, reduce } from '../helpers/earliest.ts';
import { makeGearedPrisms } from '../../verification/families/geared-prisms.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { movingFamily } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_306;

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

/** Balls of half a unit in a room, flying about. */
function cloud(count: number, room: number, seed: number): MovingBodies {
  const random = createRandom(seed);
  return bodiesOf(
    Array.from({ length: count }, () => ({
      position: [0, 1, 2].map(() => uniform(random, -room, room)),
      velocity: [0, 1, 2].map(() => uniform(random, -4, 4)),
    })),
  );
}

function rowOf(array: ArrayLike<number>, width: number, body: number): number[] {
  return Array.from({ length: width }, (_, k) => array[width * body + k]);
}

describe('of random bodies', () => {
  test('each against each other, some of them overlapping at the start', async () => {
    for (const [count, room] of [
      [30, 3],
      [60, 4],
      [100, 3],
    ]) {
      const bodies = cloud(count, room, SEED + count);
      const { pairs, byProjection } = await expectEarliest(
        [cpu, gpu],
        [BALL],
        bodies,
        allPairs(count, SEED),
        { duration: 1 },
        `${count} balls, seed ${SEED + count}`,
      );
      expect(pairs.length).toBeGreaterThan(count / 4);
      // Impacts of balls that overlap all have the time 0.
      if (count === 100) expect(byProjection).toBeGreaterThan(20);
    }
  });

  test('over many chunks of either tester', async () => {
    const count = 480;
    const bodies = cloud(count, 8, SEED);
    const pairs = allPairs(count, SEED);
    expect(pairs.length / 2).toBeGreaterThan(65_536);
    const { pairs: kept, byProjection } = await expectEarliest(
      [cpu, gpu],
      [BALL],
      bodies,
      pairs,
      { duration: 0.5 },
      `${count} balls, seed ${SEED}`,
    );
    expect(kept.length).toBeGreaterThan(200);
    expect(byProjection).toBeGreaterThan(20);
  });

  test('a pair that is there twice counts once, as the lower', async () => {
    const bodies = cloud(40, 3, SEED + 3);
    const once = allPairs(40, SEED);
    const twice = Uint32Array.from([...once, ...once.slice().reverse()]);
    const { pairs, byIndex } = await expectEarliest(
      [cpu, gpu],
      [BALL],
      bodies,
      twice,
      { duration: 1 },
      `seed ${SEED + 3}`,
    );
    expect(pairs.every((pair) => pair < once.length / 2)).toBe(true);
    expect(byIndex).toBeGreaterThan(20);
  });

  test('of several types, turning, with a margin', async () => {
    const family = movingFamily('capsule-hull', 150, SEED, { isTurning: true });
    const random = createRandom(SEED);
    const { bodies, duration } = family;
    for (let i = 0; i < bodies.positions.length; i++) bodies.positions[i] *= 0.25;
    const pairs = Uint32Array.from({ length: 2 * 3000 }, () => below(random, 300)).map((body, i, all) =>
      i % 2 === 1 && body === all[i - 1] ? (body + 1) % 300 : body,
    );
    for (const margin of [0, 0.125]) {
      const options = { duration, margin };
      for (const tester of [cpu, gpu]) {
        useShapes(tester, family.shapes);
        const all = await tester.impacts(bodies, pairs, options);
        const expected = reduce(all, bodies, pairs);
        expectReduced(
          await tester.impacts(bodies, pairs, { ...options, results: 'earliest' }),
          all,
          expected,
          `margin ${margin}, seed ${SEED}, ${tester.backend}`,
        );
        expect(expected.pairs.length).toBeGreaterThan(100);
      }
    }
  });

  test('with what was left open asked again of the reference', async () => {
    const family = makeGearedPrisms(atNight(30, 60), 3);
    const { bodies, duration } = family;
    const count = bodies.shapes.length;
    // Every body in several pairs, so that one that turns out to be no impact, or a later one, has others behind it.
    const more = Array.from({ length: count }, (_, i) => [i, (i + 2 + 2 * (i % 5)) % count]).flat();
    const pairs = Uint32Array.from([...family.pairs, ...more]);
    useShapes(gpu, family.shapes);
    const open = (await gpu.impacts(bodies, pairs, { duration })).statusCounts[Status.NotConverged];
    expect(open).toBeGreaterThan(atNight(1, 3));
    await expectEarliest(
      [cpu, gpu],
      family.shapes,
      bodies,
      pairs,
      { duration, escalate: true },
      'geared prisms, seed 3',
    );
  });

  test('a pair that turns out to meet later, asked again of the reference, makes room for another of its bodies', async () => {
    const family = makeGearedPrisms(12, 3);
    const { duration } = family;
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    const [bounds, { time }] = await Promise.all(
      [gpu, cpu].map((tester) => tester.impacts(family.bodies, family.pairs, { duration })),
    );
    const isLater = (pair: number): boolean =>
      bounds.status[pair] === Status.NotConverged && time[pair] > bounds.time[pair] + 1e-4;
    const open = Array.from(bounds.pair).filter(isLater);
    expect(open.length).toBeGreaterThan(0);
    for (const pair of open) {
      const { bodies } = family;
      const [a, b] = family.pairs.subarray(2 * pair, 2 * pair + 2);
      const shapes = [
        family.shapes[bodies.shapes[a]],
        family.shapes[bodies.shapes[b]],
        { type: 'sphere', radius: 0.05 } as const,
      ];
      // A ball C that comes to A between the bound and the impact, and has met a ball D long before that: A keeps B or
      // C, whichever the reference says.
      const when = 0.5 * (bounds.time[pair] + Math.min(time[pair], duration));
      const own = rowOf(bodies.linearVelocities, 3, a);
      const velocity = own.map((x, k) => x + (k === 0 ? 50 : 0));
      const position = rowOf(bodies.positions, 3, a).map((x, k) => x + when * (own[k] - velocity[k]));
      const balls = bodiesOf([
        { shape: 2, position, velocity },
        { shape: 2, position: position.map((x, k) => x + 0.1 * when * velocity[k]) },
      ]);
      const joined = (name: 'positions' | 'quaternions' | 'linearVelocities', width: number): Float32Array =>
        Float32Array.from([
          ...rowOf(bodies[name], width, a),
          ...rowOf(bodies[name], width, b),
          ...(balls[name] as Float32Array),
        ]);
      const four: MovingBodies = {
        shapes: Uint32Array.of(0, 1, 2, 2),
        positions: joined('positions', 3),
        quaternions: joined('quaternions', 4),
        linearVelocities: joined('linearVelocities', 3),
        angularVelocities: Float32Array.from([
          ...rowOf(bodies.angularVelocities!, 3, a),
          ...rowOf(bodies.angularVelocities!, 3, b),
          0,
          0,
          0,
          0,
          0,
          0,
        ]),
      };
      const pairs = Uint32Array.of(0, 1, 0, 2, 2, 3);
      useShapes(gpu, shapes);
      expect((await gpu.impacts(four, pairs, { duration })).status[0]).toBe(Status.NotConverged);
      await expectEarliest(
        [cpu, gpu],
        shapes,
        four,
        pairs,
        { duration, escalate: true },
        `geared prisms, seed 3, pair ${pair}, and balls`,
      );
    }
  });
});

test('without hits there are none, and all bodies have none', async () => {
  const bodies = bodiesOf([0, 1, 2, 3].map((i) => ({ position: [10 * i, 0, 0] })));
  const { pairs, first } = await expectEarliest(
    [cpu, gpu],
    [BALL],
    bodies,
    allPairs(4, SEED),
    { duration: 1 },
    'nothing',
  );
  expect([pairs, first]).toEqual([[], [NOTHING, NOTHING, NOTHING, NOTHING]]);
});

test('of the others first is undefined', async () => {
  const bodies = bodiesOf([{ position: [0, 0, 0] }, { position: [0.5, 0, 0] }]);
  for (const tester of [cpu, gpu]) {
    useShapes(tester, [BALL]);
    for (const results of ['all', 'hits'] as const)
      expect('first' in (await tester.impacts(bodies, Uint32Array.of(0, 1), { duration: 1, results }))).toBe(false);
  }
});
