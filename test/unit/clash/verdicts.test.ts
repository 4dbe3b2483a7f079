/** What a clash means for the check, and how the clashes of two runs are recognised. */

import { expect, test } from 'vitest';
import { createLabels, pairKey } from '../../../cli/clash/labels.ts';
import { verdictOf, type Grounds } from '../../../cli/clash/verdicts.ts';

const OVERLAP: Grounds = {
  category: 'overlap',
  distance: -0.1,
  tolerance: 0.01,
  isAllowed: false,
  failOn: new Set(['overlap', 'contained', 'duplicate', 'clearance']),
  known: undefined,
};

test('a clash of a failing category fails, unless the scene allows the pair', () => {
  expect(verdictOf(OVERLAP)).toBe('fail');
  expect(verdictOf({ ...OVERLAP, isAllowed: true })).toBe('allowed');
  expect(verdictOf({ ...OVERLAP, category: 'touching', distance: 0 })).toBe('pass');
  expect(verdictOf({ ...OVERLAP, failOn: new Set() })).toBe('pass');
});

test.each<[string, Partial<Grounds>, Grounds['known'], string]>([
  ['is as deep', {}, { category: 'overlap', distance: -0.1 }, 'known'],
  ['is less deep', {}, { category: 'overlap', distance: -0.5 }, 'known'],
  ['is deeper by less than the tolerance', {}, { category: 'overlap', distance: -0.095 }, 'known'],
  ['is deeper by more than the tolerance', {}, { category: 'overlap', distance: -0.08 }, 'fail'],
  ['was a gap', {}, { category: 'clearance', distance: 0.02 }, 'fail'],
  ['was a touch', {}, { category: 'touching', distance: 0 }, 'fail'],
  ['was another category as bad', {}, { category: 'contained', distance: -0.2 }, 'fail'],
  ['is now a gap', { category: 'clearance', distance: 0.02 }, { category: 'overlap', distance: -0.2 }, 'known'],
])('a known clash that %s', (_, now, known, verdict) => {
  expect(verdictOf({ ...OVERLAP, ...now, known })).toBe(verdict);
});

test('a pair has the same key in either order, and another one than any other pair', () => {
  expect(pairKey('a', undefined, 'b', 2)).toBe(pairKey('b', 2, 'a', undefined));
  expect(pairKey('a', 1, 'b', 2)).toBe(pairKey('a', undefined, 'b', 2));
  const keys = new Set([
    pairKey('a', undefined, 'b', undefined),
    pairKey('a', 2, 'b', undefined),
    pairKey('a', undefined, 'b', 2),
    pairKey('a","b', undefined, '', undefined),
    pairKey('a', undefined, '1],["b', undefined),
  ]);
  expect(keys.size).toBe(5);
});

test('bodies of one name are numbered in the order of the scene; bodies without a name have their index', () => {
  const labelOf = createLabels({
    bodyNames: new Map([
      [4, 'bolt'],
      [0, 'bolt'],
      [2, 'body 3'],
      [5, 'bolt'],
    ]),
  });
  expect([0, 1, 2, 3, 4, 5].map(labelOf)).toEqual([
    { label: 'bolt', copy: undefined },
    { label: 'body 1', copy: undefined },
    { label: 'body 3', copy: undefined },
    { label: 'body 3', copy: 2 },
    { label: 'bolt', copy: 2 },
    { label: 'bolt', copy: 3 },
  ]);
});
