/** First impacts of bodies that meet several others at the same time: the one less far ahead counts, then the lower pair. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { allPairs, BALL, bodiesOf, CUBE, expectEarliest, NOTHING } from '../helpers/earliest.ts';

const SEED = 20_261_306;

const testers: Tester[] = [];

beforeAll(async () => {
  for (const backend of ['cpu', 'webgpu'] as const) testers.push(await createTester({ backend }));
});

afterAll(() => testers.forEach((tester) => tester.dispose()));

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
    } = await expectEarliest(testers, [CUBE], bodies, ofCubes, { duration: 0.5 }, `way ${way}, seed ${SEED + seed}`);
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
    const { byIndex, first } = await expectEarliest(
      testers,
      [CUBE],
      bodies,
      pairs,
      { duration: 1 },
      `seed ${SEED + seed}`,
    );
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
          testers,
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
  const { pairs: kept, first } = await expectEarliest(testers, [BALL], bodies, pairs, { duration: 1 }, 'a row');
  // Each of the row has one impact, which is its first.
  expect(kept.length).toBe(20);
  expect(kept[first[0]]).toBe(19);
});
