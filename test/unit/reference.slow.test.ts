/**
 * The double-precision reference against the oracle: every family, every query and algorithm, within 1e-9 of
 * max(s, |B - A|), and 1e-6 where a cylinder, a cone or an ellipsoid takes part.
 */

import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuOptions, type CpuShape } from '../../src/cpu.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { makeShapePairFamily, shapePairNames, type Family } from '../../verification/families/families.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import { makeCurvedGridFamily } from '../../verification/families/grid.ts';
import {
  anyFamily,
  boxPairsOf,
  everyFamily,
  pairsOf,
  summary,
  type FamilyPair,
} from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

/** Structured pairs that may end as NotConverged, of each family and algorithm. */
const MOST_NOT_CONVERGED = 0;

const SEED = 20_250_101;
const PAIRS = atNight(80, 2000);

type Algorithm = NonNullable<CpuOptions['algorithm']>;

interface Judgement {
  faults: string[];
  statuses: number[];
}

type Judge = (pair: FamilyPair, truth: number, a: CpuShape, b: CpuShape) => { status: Status; faults: string[] };

/**
 * Signed distances by the oracle, which takes its time over curved shapes that share an axis; by a family's bodies and
 * the pair's first one.
 */
const truths = new WeakMap<Family['bodies'], Map<number, number>>();

/** What is wrong with each pair of a family by `judge`, and how often each status came. */
function judgeAll(family: Family, judge: Judge): Judgement {
  const shapes = family.shapes.map((shape) => createShape(shape));
  const known = truths.get(family.bodies) ?? new Map<number, number>();
  truths.set(family.bodies, known);
  const statuses = [0, 0, 0, 0, 0];
  const faults = pairsOf(family).flatMap((pair) => {
    const body = family.pairs[2 * pair.index];
    const truth = known.get(body) ?? signedDistance(pair.a, pair.poseA, pair.b, pair.poseB).distance;
    known.set(body, truth);
    const found = judge(pair, truth, shapes[pair.shapeA], shapes[pair.shapeB]);
    statuses[found.status]++;
    return found.faults.map((fault) => `${family.name}, seed ${SEED}, pair ${pair.index}: ${fault}`);
  });
  return { faults: summary(faults), statuses };
}

function judgeContacts(family: Family, algorithm: Algorithm, margin = Infinity): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB }, truth, shapeA, shapeB) => {
    const found = contact(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    return {
      status: found.status,
      faults: judgeContact(a, poseA, b, poseB, found, 'reference', { points: 'f64', margin, truth }),
    };
  });
}

function judgeDistances(family: Family, algorithm: Algorithm, margin = Infinity): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB }, truth, shapeA, shapeB) => {
    const found = distance(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    const faults = judgeContact(a, poseA, b, poseB, found, 'reference', {
      query: 'distances',
      points: 'f64',
      margin,
      truth,
    });
    return { status: found.status, faults };
  });
}

function judgeIntersections(family: Family, algorithm: Algorithm, margin: number): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB, size }, truth, shapeA, shapeB) => {
    const found = intersects(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    const t = toleranceOf('reference', a.core, b.core, truth <= 0) * size;
    const faults: string[] = [];
    if (Math.abs(truth) > t && (found.status === Status.Overlapping) !== truth <= 0)
      faults.push(`status ${found.status} at the true distance ${truth}`);
    if (Math.abs(truth - margin) > t && found.hit !== truth <= margin)
      faults.push(`hit is ${found.hit} at the true distance ${truth}, margin ${margin}`);
    return { status: found.status, faults };
  });
}

/** Both outcomes came often enough for the family to mean something. */
function expectBothOutcomes([separated, overlapping]: number[], pairs: number): void {
  expect(separated).toBeGreaterThan(0.1 * pairs);
  expect(overlapping).toBeGreaterThan(0.2 * pairs);
}

describe.each(everyFamily)('%s', (name) => {
  const family = anyFamily(name, PAIRS, SEED);

  test.each(['gjk', 'auto'] as const)(
    'signed distance, normal, witness points and bounds by %s are right',
    (algorithm) => {
      const { faults, statuses } = judgeContacts(family, algorithm);
      expect(faults).toEqual([]);
      expect(statuses[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED);
      expectBothOutcomes(statuses, PAIRS);
    },
  );

  test.each(['gjk', 'auto'] as const)('distances by %s are right, and overlapping pairs have zeros', (algorithm) => {
    const { faults, statuses } = judgeDistances(family, algorithm);
    expect(faults).toEqual([]);
    expect(statuses[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED);
    expectBothOutcomes(statuses, PAIRS);
  });

  test('hits, early exits and statuses are right with finite margins', () => {
    const some = { ...family, pairs: family.pairs.subarray(0, PAIRS) };
    expect(judgeContacts(some, 'auto', 0).faults).toEqual([]);
    expect(judgeDistances(some, 'auto', 0.05).faults).toEqual([]);
    for (const margin of [0, 0.05]) {
      const { faults, statuses } = judgeIntersections(some, 'gjk', margin);
      expect(faults).toEqual([]);
      expectBothOutcomes(statuses, PAIRS / 2);
    }
  });
});

const namesOfCurved = shapePairNames.filter((name) => /cylinder|cone|ellipsoid|halfspace/.test(name));

describe.each([
  // In CI every other one, row by row of the table of types. properties.slow.test.ts asks every two types.
  ...atNight(
    namesOfCurved.filter((_, i) => (i + Math.floor(i / 4)) % 2 === 1),
    namesOfCurved,
  ),
  'curved-grid',
])('%s', (name) => {
  const count = atNight(40, 250);
  const family = name === 'curved-grid' ? makeCurvedGridFamily(count, SEED) : makeShapePairFamily(name, count, SEED);

  test('contacts, distances and hits are right', () => {
    for (const { faults, statuses } of [
      judgeContacts(family, 'auto'),
      judgeContacts(family, 'auto', 0),
      judgeDistances(family, 'auto'),
      judgeDistances(family, 'auto', 0.05),
      judgeIntersections(family, 'auto', 0),
      judgeIntersections(family, 'auto', 0.05),
    ]) {
      expect(faults).toEqual([]);
      expect(statuses[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED);
      expectBothOutcomes(statuses, count);
    }
  });
});

describe.each(['box-box', 'aligned-boxes', 'flat', 'needles', 'sizes'] as const)('boxes of %s', (name) => {
  const family = boxPairsOf(anyFamily(name, PAIRS, SEED + 1));
  const count = family.pairs.length / 2;

  test('sat and gjk agree with the truth in every query', () => {
    expect(count).toBeGreaterThan(PAIRS / 20);
    for (const { faults, statuses } of [
      judgeContacts(family, 'sat'),
      judgeContacts(family, 'sat', 0),
      judgeDistances(family, 'sat'),
      judgeDistances(family, 'sat', 0),
      judgeIntersections(family, 'sat', 0),
      judgeIntersections(family, 'sat', 0.05),
      judgeIntersections(family, 'gjk', 0.05),
    ]) {
      expect(faults).toEqual([]);
      expect(statuses[Status.Separated] + statuses[Status.Overlapping]).toBe(count);
      expect(statuses[Status.Overlapping]).toBeGreaterThan(0.1 * count);
    }
  });
});
