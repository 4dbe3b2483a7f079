/**
 * `results: 'earliest'` is what a walk over all impacts finds: of each body the first, of equals the one less far
 * ahead, then the lower pair.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Impacts, type ImpactOptions, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { below, createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { makeGearedPrisms } from '../../verification/families/geared-prisms.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { columnsOf, movingFamily } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_306;
const NOTHING = 0xffff_ffff;

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

interface Reduced {
  /** Pairs that are the first of a body, ascending. */
  pairs: number[];
  /** For each body, the slot of its first impact among `pairs`. */
  first: number[];
  /** Bodies whose first was decided by how far ahead the other is, and by the pair's index. */
  byProjection: number;
  byIndex: number;
}

/** How far B is ahead of A along A's displacement against B. */
function projectionOf({ positions, linearVelocities: v }: MovingBodies, a: number, b: number): number {
  const way = [0, 1, 2].map((k) => v[3 * a + k] - v[3 * b + k]);
  const speed = Math.hypot(...way);
  return speed > 0
    ? way.reduce((sum, x, k) => sum + (x / speed) * (positions![3 * b + k] - positions![3 * a + k]), 0)
    : 0;
}

/** By brute force: every impact of every body, sorted. */
function reduce(all: Impacts, bodies: MovingBodies, pairs: Uint32Array): Reduced {
  const ofBody = Array.from(bodies.shapes, (): { time: number; projection: number; pair: number }[] => []);
  for (let slot = 0; slot < all.count; slot++) {
    if (all.status[slot] !== Status.Overlapping && all.status[slot] !== Status.NotConverged) continue;
    const pair = all.pair[slot];
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const impact = { time: all.time[slot], projection: projectionOf(bodies, a, b), pair };
    ofBody[a].push(impact);
    ofBody[b].push(impact);
  }
  const counts = { byProjection: 0, byIndex: 0 };
  const winners = ofBody.map((impacts) => {
    impacts.sort((p, q) => p.time - q.time || p.projection - q.projection || p.pair - q.pair);
    const [first, second] = impacts;
    if (second && second.pair !== first.pair && second.time === first.time)
      counts[second.projection === first.projection ? 'byIndex' : 'byProjection']++;
    return first?.pair;
  });
  const kept = [...new Set(winners)].filter((pair) => pair !== undefined).sort((p, q) => p - q);
  const slots = new Map(kept.map((pair, slot) => [pair, slot]));
  return { pairs: kept, first: winners.map((pair) => slots.get(pair) ?? NOTHING), ...counts };
}

/** Expects a result to have the slots of `all` that the reduction keeps, bit for bit. */
function expectReduced(found: Impacts, all: Impacts, expected: Reduced, label: string): void {
  expect(Array.from(found.pair), label).toEqual(expected.pairs);
  expect(Array.from(found.first!), label).toEqual(expected.first);
  const { status, time, unclampedTime, normal } = columnsOf(found);
  const kept = <Column extends ArrayLike<number>>(column: Column, width = 1): number[] =>
    expected.pairs.flatMap((pair) => Array.from({ length: width }, (_, k) => column[width * pair + k]));
  expect({ status, time, unclampedTime, normal }, label).toEqual({
    status: kept(all.status),
    time: kept(all.time),
    unclampedTime: kept(all.unclampedTime),
    normal: kept(all.normal, 3),
  });
  expect(found.statusCounts, label).toEqual(all.statusCounts);
}

/** On both testers and in a batch. Gives what the GPU's answer was reduced to. */
async function expectEarliest(
  shapes: Parameters<typeof useShapes>[1],
  bodies: MovingBodies,
  pairs: Uint32Array,
  options: ImpactOptions,
  label: string,
): Promise<Reduced> {
  let reduced: Reduced | undefined;
  for (const tester of [cpu, gpu]) {
    useShapes(tester, shapes);
    const all = await tester.impacts(bodies, pairs, options);
    reduced = reduce(all, bodies, pairs);
    expectReduced(
      await tester.impacts(bodies, pairs, { ...options, results: 'earliest' }),
      all,
      reduced,
      `${label} on ${tester.backend}`,
    );
    if (tester !== gpu || options.escalate) continue;
    const batch = await tester.createBatch({
      query: 'impacts',
      duration: options.duration,
      turning: bodies.angularVelocities !== undefined,
      results: 'earliest',
      maxBodies: bodies.shapes.length,
      maxPairs: pairs.length / 2,
    });
    batch.write({ bodies, pairs });
    submit(batch as never);
    expectReduced(await batch.read(), all, reduced, `${label} in a batch`);
    batch.dispose();
  }
  return reduced!;
}

const UPRIGHT = [0, 0, 0, 1];

function bodiesOf(
  bodies: readonly { shape?: number; position: readonly number[]; velocity?: readonly number[] }[],
): MovingBodies {
  return {
    shapes: Uint32Array.from(bodies, ({ shape = 0 }) => shape),
    positions: Float32Array.from(bodies.flatMap(({ position }) => position)),
    quaternions: Float32Array.from(bodies.flatMap(() => UPRIGHT)),
    linearVelocities: Float32Array.from(bodies.flatMap(({ velocity = [0, 0, 0] }) => velocity)),
  };
}

/** Each two of so many bodies, once, shuffled and in either order. */
function allPairs(count: number, seed: number): Uint32Array {
  const random = createRandom(seed);
  const pairs = Array.from({ length: count }, (_, a) =>
    Array.from({ length: a }, (_unused, b) => (random() < 0.5 ? [a, b] : [b, a])),
  ).flat();
  for (let i = pairs.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [pairs[i], pairs[j]] = [pairs[j], pairs[i]];
  }
  return Uint32Array.from(pairs.flat());
}

const CUBE = { type: 'box', halfExtents: [0.5, 0.5, 0.5] } as const;
const BALL = { type: 'sphere', radius: 0.5 } as const;

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
    const { pairs, byIndex } = await expectEarliest([BALL], bodies, twice, { duration: 1 }, `seed ${SEED + 3}`);
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
    await expectEarliest(family.shapes, bodies, pairs, { duration, escalate: true }, 'geared prisms, seed 3');
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
        shapes,
        four,
        pairs,
        { duration, escalate: true },
        `geared prisms, seed 3, pair ${pair}, and balls`,
      );
    }
  });
});

describe('of bodies that meet at the same time', () => {
  test('a cube that falls onto a tiled floor meets the tile that is less far ahead, or the lower pair', async () => {
    // 8 by 8 tiles of a unit, tops at 0; cubes over the middle of a tile, over an edge, over a corner, some of them
    // sliding.
    const tiles = Array.from({ length: 64 }, (_, i) => ({ position: [i % 8, -0.5, Math.floor(i / 8)] }));
    const starts = [
      [2, 2],
      [2.5, 2],
      [2.5, 2.5],
      [3.25, 4.5],
      [5.5, 5.5],
      [6, 6.5],
    ];
    const ways = [
      [0, 0],
      [1, 0],
      [-1, 0],
      [0, 2],
      [1, 1],
      [-2, 1],
    ];
    for (const [seed, way] of ways.entries()) {
      const cubes = starts.map(([x, z]) => ({
        position: [x - 0.25 * way[0], 1.5, z - 0.25 * way[1]],
        velocity: [way[0], -4, way[1]],
      }));
      const bodies = bodiesOf([...tiles, ...cubes]);
      const pairs = allPairs(70, SEED + seed);
      const ofCubes = pairs.filter((_, i) => Math.max(pairs[2 * (i >> 1)], pairs[2 * (i >> 1) + 1]) >= 64);
      const {
        pairs: kept,
        byProjection,
        byIndex,
        first,
      } = await expectEarliest([CUBE], bodies, ofCubes, { duration: 0.5 }, `way ${way}, seed ${SEED + seed}`);
      expect(first.slice(64).every((slot) => slot !== NOTHING)).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(6);
      expect(byProjection + byIndex).toBeGreaterThan(3);
    }
  });

  test('overlapping ones at rest against each other keep the lowest pair', async () => {
    const bodies = bodiesOf(
      [
        [0, 0, 0],
        [0.25, 0, 0],
        [0, 0.25, 0],
        [0, 0, 0.25],
        [5, 5, 5],
      ].map((position) => ({ position, velocity: [1, 2, 3] })),
    );
    for (let seed = 0; seed < 6; seed++) {
      const pairs = allPairs(5, SEED + seed);
      const { byIndex, first } = await expectEarliest([CUBE], bodies, pairs, { duration: 1 }, `seed ${SEED + seed}`);
      expect(byIndex).toBe(4);
      expect(first[4]).toBe(NOTHING);
    }
  });

  test('right beside the way nothing is ahead, whatever sign 0 has', async () => {
    // Neighbours around a cube that falls, at its height: what they are ahead is 0, or -0, for a sum of products of
    // both signs.
    const around = [
      [0.5, 0, 0.5],
      [-0.5, 0, -0.5],
      [0.5, 0, -0.5],
      [-0.5, 0, 0.5],
      [0.5, 0, 0],
      [-0.5, 0, 0],
      [0, 0, -0.5],
    ];
    for (const velocity of [
      [0, -1, 0],
      [0, 1, 0],
    ]) {
      const bodies = bodiesOf([{ position: [0, 0, 0], velocity }, ...around.map((position) => ({ position }))]);
      for (let turn = 0; turn < around.length; turn++) {
        const order = around.map((_, i) => 1 + ((i + turn) % around.length));
        for (const pairs of [order.flatMap((b) => [0, b]), order.flatMap((b) => [b, 0])]) {
          const { first, pairs: kept } = await expectEarliest(
            [CUBE],
            bodies,
            Uint32Array.from(pairs),
            { duration: 1 },
            `velocity ${velocity}, turn ${turn}`,
          );
          expect(kept[first[0]]).toBe(0);
        }
      }
    }
  });

  test('a row of balls that another flies into: each has its own first, and only the nearest is hit', async () => {
    const row = Array.from({ length: 20 }, (_, i) => ({ position: [2 + i, 0, 0] }));
    const bodies = bodiesOf([{ position: [0, 0, 0], velocity: [32, 0, 0] }, ...row]);
    const pairs = Uint32Array.from(row.flatMap((_, i) => [0, row.length - i]));
    const { pairs: kept, first } = await expectEarliest([BALL], bodies, pairs, { duration: 1 }, 'a row');
    // Each of the row has one impact, which is its first.
    expect(kept.length).toBe(20);
    expect(kept[first[0]]).toBe(19);
  });
});

test('without hits there are none, and all bodies have none', async () => {
  const bodies = bodiesOf([0, 1, 2, 3].map((i) => ({ position: [10 * i, 0, 0] })));
  const { pairs, first } = await expectEarliest([BALL], bodies, allPairs(4, SEED), { duration: 1 }, 'nothing');
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
