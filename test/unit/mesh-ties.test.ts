/** Pairs of meshes and compounds many of whose parts are equally near or deep: one witness is kept, and few pairs are tested. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { partGeometry3 } from '../../src/parts/geometry3.ts';
import { createPartPlaces } from '../../src/parts/part-geometry.ts';
import { createCandidates } from '../../src/parts/candidates.ts';
import { createKnownAnswer } from '../../src/parts/known-answer.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import { createPairSearch } from '../../src/parts/search-pair.ts';
import type { AskedQuery } from '../../src/request/backend.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { finish } from '../../src/util/turns.ts';
import { inOrder, sortSlots } from '../../src/util/sort-slots.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { makeFan, makeSheet } from '../helpers/meshes.ts';

const TRIANGLES = 2000;
const PAIR = Uint32Array.of(0, 1);
const FIELDS = ['distance', 'normal', 'partA', 'partB', 'status'] as const;

/** Two bodies of the same shape, turned together by a quaternion, `gap` apart along their own y axis. */
function stacked(shape: number, [x, y, z, w]: readonly number[], gap: number) {
  const up = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
  return {
    shapes: Uint32Array.of(shape, shape),
    positions: Float64Array.of(0, 0, 0, ...up.map((value) => gap * value)),
    quaternions: Float32Array.of(x, y, z, w, x, y, z, w),
  };
}

const TURNS = [
  ['along the axes', [0, 0, 0, 1]],
  ['turned', [0.5, 0.1, 0.7, 0.5]],
] as const;

describe('n by n pairs of triangles are equally near', () => {
  let tester: Tester;
  let disc: number;
  let grid: number;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', threads: 1 });
    disc = tester.addShape({ type: 'mesh', ...makeFan(TRIANGLES) });
    grid = tester.addShape({ type: 'mesh', ...makeSheet(30, () => 0) });
  });
  afterAll(() => tester.dispose());

  test.each(TURNS)('two discs 1 apart, %s: the lowest triangles, with few tests', async (_, turn) => {
    const found = await tester.distances(stacked(disc, turn, 1), PAIR, { fields: FIELDS });
    expect(found.distance[0]).toBeCloseTo(1, 6);
    expect([found.partA[0], found.partB[0]]).toEqual([0, 0]);
    // Of 4 million.
    expect(tester.timings.tree!.partTests).toBeLessThan(10 * TRIANGLES);
    expect(tester.timings.tree!.boxTests).toBeLessThan(200 * TRIANGLES);
  });

  test.each(TURNS)('contacts within a margin likewise, and of grids, %s', async (_, turn) => {
    for (const shape of [disc, grid]) {
      const found = await tester.contacts(stacked(shape, turn, 0.5), PAIR, { fields: FIELDS, margin: 1 });
      expect(found.distance[0]).toBeCloseTo(0.5, 6);
      expect([found.partA[0], found.partB[0]]).toEqual([0, 0]);
      expect(tester.timings.tree!.partTests).toBeLessThan(10 * TRIANGLES);
    }
  });
});

test('pairs of parts do not pile up while one pair of bodies is searched', () => {
  const count = 300;
  const shape = makeShapeData({ type: 'mesh', ...makeFan(count) });
  finish(partTree(shape));
  const asked = {
    what: { query: 'contacts', leadStage: 'sat', margin: 0 },
    over: { bodies: stacked(0, [0, 0, 0, 1], 0), pairs: PAIR, shapes: { shapes: [shape] } },
  } as unknown as AskedQuery;
  const search = createPairSearch(asked, true, createPartPlaces(partGeometry3));
  const candidates = createCandidates();
  let most = 0;
  let all = 0;
  const takeAll = (): void => {
    most = Math.max(most, candidates.count);
    all += candidates.count;
    candidates.count = 0;
  };
  const work = search.search(0, candidates, createKnownAnswer());
  while (!work.next().done) takeAll();
  takeAll();
  // All triangles meet at the hub.
  expect(all).toBe(count * count);
  expect(most).toBeLessThan(2000);
});

test.each([3, 1000, 50_000])('%i slots are sorted by all columns, in steps', (length) => {
  const random = createRandom(length);
  const columns = [3, 2 ** 26, 5000].map((end) => Uint32Array.from({ length }, () => below(random, end)));
  const work = sortSlots(...columns);
  let steps = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) steps++;
  const order = step.value!;
  expect(new Set(order).size).toBe(length);
  const sorted = columns.map((column) => finish(inOrder(column, order)));
  const compare = (i: number, j: number): number => sorted.reduce((sign, column) => sign || column[i] - column[j], 0);
  for (let i = 1; i < length; i++) if (compare(i - 1, i) > 0) expect.fail(`slots ${i - 1} and ${i}`);
  // 2^14 steps each, of 5 per slot and digit.
  expect(steps).toBeGreaterThanOrEqual(length > 1000 ? (5 * 5 * length) / 2 ** 15 : 0);
  expect(finish(sortSlots(...sorted))).toBeUndefined();
});
