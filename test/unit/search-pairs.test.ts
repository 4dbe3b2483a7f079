/** The search over boxes finds exactly the pairs of brute force, for arrangements that differ in size and place. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findPairs, searchPairs } from '../../src/broad-phase/search-pairs.ts';
import type { CollisionFilters } from '../../src/api/types.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { BOX_FAMILIES, makeBoxes, overlappingPairs } from '../helpers/boxes.ts';
import { atNight } from '../helpers/night.ts';

const MOST = 2 ** 24;
const MANY = atNight(4000, 10_000);

/** Fails with the first place where the lists differ: a difference of long lists takes too long to print. */
function expectSame(found: Uint32Array, expected: Uint32Array): void {
  const place = found.findIndex((body, i) => body !== expected[i]);
  expect(place, `pair ${place >> 1} is ${found[place & ~1]}, ${found[place | 1]}`).toBe(-1);
  expect(found.length).toBe(expected.length);
}

describe.each(Object.entries(BOX_FAMILIES))('%s', (_, family) => {
  test.each([{}, { fixed: true }, { groups: true }])('too many pairs are counted, with filters %o', (filtered) => {
    const random = createRandom(8);
    const boxes = makeBoxes(family, 3000, random);
    const filters: CollisionFilters = {};
    if ('fixed' in filtered) filters.fixed = Uint8Array.from({ length: 3000 }, () => below(random, 2));
    if ('groups' in filtered) filters.groups = Uint32Array.from({ length: 3000 }, () => 0x30001 << below(random, 2));
    const count = findPairs(boxes, [], filters, MOST).length / 2;
    expect(count).toBeGreaterThan(1);
    expect(() => findPairs(boxes, [], filters, 1)).toThrow(`the broad phase finds ${count} pairs, expected at most 1`);
  });

  test.each([0, 1, 2, 4, 5, 9, 100, MANY])('%i boxes', (count) => {
    const boxes = makeBoxes(family, count, createRandom(count + 1));
    const expected = overlappingPairs(boxes);
    if (count === MANY) expect(expected.length / 2).toBeGreaterThan(MANY / 100);
    expectSame(findPairs(boxes, [], {}, MOST), expected);
  });
});

test('boxes in one place', () => {
  const boxes = makeBoxes(() => ({ centre: [1, 2, 3], half: [1, 1, 1] }), 2000, createRandom(1));
  expectSame(findPairs(boxes, [], {}, MOST), overlappingPairs(boxes));
  expect(() => findPairs(boxes, [], {}, 1_998_999)).toThrow(
    'the broad phase finds 1999000 pairs, expected at most 1998999',
  );
});

test('the pairs of a million boxes in one place are counted soon', () => {
  const boxes = new Float64Array(6e6).fill(1);
  let stops = 0;
  expect(() => {
    for (const _ of searchPairs(boxes, [], {}, 1e6)) stops++;
  }).toThrow('the broad phase finds 499999500000 pairs, expected at most 1000000');
  // The search stops after about 2^14 steps.
  expect(stops).toBeLessThan(((1000 * 1e6) / 2 ** 14) * 4);
});

test('a hundred thousand boxes in one place whose groups do not match have no pairs, soon', () => {
  const boxes = new Float64Array(6e5).fill(1);
  for (const filters of [{ groups: new Uint32Array(1e5).fill(0x00010002) }, { fixed: new Uint8Array(1e5).fill(1) }]) {
    let stops = 0;
    const work = searchPairs(boxes, [], filters, MOST);
    let step = work.next();
    for (; !step.done; step = work.next()) stops++;
    expect(step.value.length).toBe(0);
    // The search stops after about 2^14 steps, of which 5e9 tests of boxes would be many more.
    expect(stops).toBeLessThan((1000 * 1e5) / 2 ** 14);
  }
});

test('a thousand half-spaces that meet few of a hundred thousand boxes find them soon', () => {
  const count = 1e5;
  const boxes = makeBoxes(BOX_FAMILIES['similar sizes'], count, createRandom(3));
  const heights = Float64Array.from({ length: count }, (_, i) => boxes[6 * i + 1]).sort();
  const halfspaces = Array.from({ length: 1000 }, (_, i) => ({
    body: count + i,
    position: [0, heights[i % 10], 0],
    normal: [0, 1, 0],
    offset: 0,
    slack: 0,
  }));
  const all = new Float64Array(6 * (count + 1000));
  all.set(boxes);
  for (let i = count; i < count + 1000; i++) all.fill(Infinity, 6 * i, 6 * i + 3).fill(-Infinity, 6 * i + 3, 6 * i + 6);
  let stops = 0;
  const work = searchPairs(all, halfspaces, {}, MOST);
  let step = work.next();
  for (; !step.done; step = work.next()) stops++;
  // The lowest boxes: half-space i meets (i mod 10) + 1 of them.
  expect(step.value.filter((body) => body >= count).length).toBe(5500);
  // The search stops after about 2^14 steps, of which 1e8 tests of boxes would be many more.
  expect(stops).toBeLessThan((5000 * count) / 2 ** 14);
});

describe('boxes recorded from scenes of Box3D', () => {
  test.each(['bounds01', 'bounds02', 'bounds03'])('%s', (name) => {
    const text = readFileSync(new URL(`../fixtures/box3d-bounds/${name}.txt`, import.meta.url), 'utf8');
    const boxes = Float64Array.from(text.trim().split(/\s+/), Number);
    expect(boxes.length % 6).toBe(0);
    expect(boxes.every(Number.isFinite)).toBe(true);
    const expected = overlappingPairs(boxes);
    expect(expected.length / 2).toBeGreaterThan(boxes.length / 12);
    expectSame(findPairs(boxes, [], {}, MOST), expected);
  });
});

/** The rule of groups and fixed bodies, bit by bit. */
function isLeft(filters: CollisionFilters, a: number, b: number): boolean {
  const [membershipA, membershipB] = [a, b].map((body) => (filters.groups?.[body] ?? 0xffffffff) >>> 16);
  const [filterA, filterB] = [a, b].map((body) => (filters.groups?.[body] ?? 0xffffffff) & 0xffff);
  const bothFixed = [a, b].every((body) => (filters.fixed?.[body] ?? 0) > 0);
  return (membershipA & filterB) > 0 && (membershipB & filterA) > 0 && !bothFixed;
}

describe('filters', () => {
  const count = 3000;
  const random = createRandom(8);
  const boxes = makeBoxes(BOX_FAMILIES['sizes from 1 to 1000'], count, random);
  const all = overlappingPairs(boxes);
  const groups = Uint32Array.from({ length: count }, () => below(random, 2 ** 16) * 2 ** 16 + below(random, 2 ** 16));
  const oneBit = Uint32Array.from({ length: count }, () => 2 ** (16 + below(random, 4)) + 2 ** below(random, 4));
  const fixed = Uint8Array.from({ length: count }, () => below(random, 3));

  test.each<[string, CollisionFilters]>([
    ['groups at random', { groups }],
    ['groups of one bit', { groups: oneBit }],
    ['fixed bodies', { fixed }],
    ['both', { groups: oneBit, fixed }],
    ['all bits', { groups: new Uint32Array(count).fill(0xffffffff) }],
    ['no bits', { groups: new Uint32Array(count) }],
    ['all fixed', { fixed: new Uint8Array(count).fill(1) }],
  ])('%s', (_, filters) => {
    const expected = all.filter((_body, i) => isLeft(filters, all[i & ~1], all[i | 1]));
    expectSame(findPairs(boxes, [], filters, MOST), expected);
  });

  test('a half-space is a body too', () => {
    const floor = { body: 0, position: [0, 0, 0], normal: [0, 1, 0], offset: 1e6, slack: 0 };
    const some = boxes.slice(0, 60);
    some.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    const met = (filters: CollisionFilters): number[] =>
      [...findPairs(some, [floor], filters, MOST)].filter((_body, i, pairs) => pairs[i & ~1] === 0 && i % 2 === 1);
    const others = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(met({})).toEqual(others);
    expect(met({ groups })).toEqual(others.filter((body) => isLeft({ groups }, 0, body)));
    const still = Uint8Array.of(1, 1, 0, 0, 1, 0, 0, 0, 0, 2);
    expect(met({ fixed: still })).toEqual([2, 3, 5, 6, 7, 8]);
  });
});
