/**
 * The double-precision reference against the oracle: every family, every hard case, every query and algorithm, within
 * 1e-9 of max(s, |B - A|).
 */

import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuOptions, type CpuShape } from '../../src/cpu/index.ts';
import type { ShapeDescription } from '../../src/shapes/descriptions.ts';
import type { Family } from '../families.ts';
import { judgeContact, oracleShape, signedDistance } from '../oracle/index.ts';
import { anyFamily, boxPairsOf, everyFamily, hardCases, pairsOf, summary, type FamilyPair } from '../support-families.ts';

/** DESIGN, section 6. */
const TOLERANCE = 1e-9;
/** Structured pairs that may end as NotConverged, of each family and algorithm. */
const MOST_NOT_CONVERGED = 0;

const SEED = 20_250_101;
const PAIRS = 2000;

type Algorithm = NonNullable<CpuOptions['algorithm']>;

interface Judgement {
  faults: string[];
  statuses: number[];
}

/** What is wrong with each pair of a family by `judge`, and how often each status came. */
function judgeAll(family: Family, judge: (pair: FamilyPair, a: CpuShape, b: CpuShape) => { status: Status; faults: string[] }): Judgement {
  const shapes = family.shapes.map((shape) => createShape(shape));
  const statuses = [0, 0, 0, 0, 0];
  const faults = pairsOf(family).flatMap((pair) => {
    const found = judge(pair, shapes[pair.shapeA], shapes[pair.shapeB]);
    statuses[found.status]++;
    return found.faults.map((fault) => `${family.name}, seed ${SEED}, pair ${pair.index}: ${fault}`);
  });
  return { faults: summary(faults), statuses };
}

function judgeContacts(family: Family, algorithm: Algorithm, margin = Infinity): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB }, shapeA, shapeB) => {
    const found = contact(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    return { status: found.status, faults: judgeContact(a, poseA, b, poseB, found, TOLERANCE, { points: 'f64', margin }) };
  });
}

function judgeDistances(family: Family, algorithm: Algorithm, margin = Infinity): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB }, shapeA, shapeB) => {
    const found = distance(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    const faults = judgeContact(a, poseA, b, poseB, found, TOLERANCE, { query: 'distances', points: 'f64', margin });
    return { status: found.status, faults };
  });
}

function judgeIntersections(family: Family, algorithm: Algorithm, margin: number): Judgement {
  return judgeAll(family, ({ a, b, poseA, poseB, size }, shapeA, shapeB) => {
    const found = intersects(shapeA, poseA, shapeB, poseB, { algorithm, margin });
    const truth = signedDistance(a, poseA, b, poseB).distance;
    const faults: string[] = [];
    if (Math.abs(truth) > TOLERANCE * size && (found.status === Status.Overlapping) !== truth <= 0)
      faults.push(`status ${found.status} at the true distance ${truth}`);
    if (Math.abs(truth - margin) > TOLERANCE * size && found.hit !== truth <= margin)
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

  test.each(['gjk', 'auto'] as const)('signed distance, normal, witness points and bounds by %s are right', (algorithm) => {
    const { faults, statuses } = judgeContacts(family, algorithm);
    expect(faults).toEqual([]);
    expect(statuses[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED);
    expectBothOutcomes(statuses, PAIRS);
  });

  test('distances are right, and overlapping pairs have zeros', () => {
    const { faults, statuses } = judgeDistances(family, 'auto');
    expect(faults).toEqual([]);
    expect(statuses[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED);
    expectBothOutcomes(statuses, PAIRS);
  });

  test('hits, early exits and statuses are right with finite margins', () => {
    for (const margin of [0, 0.05]) {
      expect(judgeContacts(family, 'auto', margin).faults).toEqual([]);
      expect(judgeDistances(family, 'auto', margin).faults).toEqual([]);
      const { faults, statuses } = judgeIntersections(family, 'gjk', margin);
      expect(faults).toEqual([]);
      expectBothOutcomes(statuses, PAIRS);
    }
  });
});

describe.each(['box-box', 'aligned-boxes', 'flat', 'needles', 'sizes'] as const)('boxes of %s', (name) => {
  const family = boxPairsOf(anyFamily(name, PAIRS, SEED + 1));
  const count = family.pairs.length / 2;

  test('sat and gjk agree with the truth in every query', () => {
    expect(count).toBeGreaterThan(100);
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

describe('poses that broke other libraries', () => {
  const { cases, family } = hardCases();
  const pairs = pairsOf(family);

  test.each(cases.map(({ id, truthSignedDistance }, index) => ({ id, truthSignedDistance, index })))(
    '$id: the signed distance is $truthSignedDistance by every algorithm and query',
    ({ index, truthSignedDistance: truth }) => {
      const { a, b, poseA, poseB, shapeA, shapeB, size } = pairs[index];
      const [subjectA, subjectB] = [shapeA, shapeB].map((shape) => createShape(family.shapes[shape]));
      const areBoxes = [shapeA, shapeB].every((shape) => family.shapes[shape].type === 'box');
      const t = TOLERANCE * size;
      for (const algorithm of areBoxes ? (['gjk', 'sat', 'auto'] as const) : (['gjk', 'auto'] as const)) {
        const found = contact(subjectA, poseA, subjectB, poseB, { algorithm, margin: Infinity });
        expect(Math.abs(found.distance - truth), `contact by ${algorithm} gives ${found.distance}`).toBeLessThanOrEqual(t);
        expect(judgeContact(a, poseA, b, poseB, found, TOLERANCE, { points: 'f64' })).toEqual([]);
        const gap = distance(subjectA, poseA, subjectB, poseB, { algorithm });
        expect(Math.abs(gap.distance - Math.max(truth, 0)), `distance by ${algorithm} gives ${gap.distance}`).toBeLessThanOrEqual(t);
        expect(judgeContact(a, poseA, b, poseB, gap, TOLERANCE, { points: 'f64', query: 'distances' })).toEqual([]);
        for (const { status } of [found, gap]) expect([Status.Separated, Status.Overlapping]).toContain(status);
        if (Math.abs(truth) > t) {
          const { hit, status } = intersects(subjectA, poseA, subjectB, poseB, { algorithm });
          expect({ algorithm, hit, status }).toEqual({ algorithm, hit: truth <= 0, status: truth <= 0 ? Status.Overlapping : Status.Separated });
        }
      }
    },
  );
});

describe('rounded flat shapes, segments and points', () => {
  const descriptions: ShapeDescription[] = [
    { type: 'sphere', radius: 0 },
    { type: 'sphere', radius: 0.75 },
    { type: 'capsule', halfHeight: 0, radius: 0.5 },
    { type: 'capsule', halfHeight: 1, radius: 0 },
    { type: 'box', halfExtents: [0, 0, 0] },
    { type: 'box', halfExtents: [0.5, 0, 0.25], radius: 0.125 },
    { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0], radius: 0.25 },
    { type: 'triangle', points: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5] },
    { type: 'hull', points: [0, 0, 0, 0, 1, 0] },
    { type: 'hull', points: [1, 1, 1], radius: 0.5 },
  ];
  const poses = [[0, 0, 0], [0.25, 0, 0], [0, 0.5, 0], [0.3, -0.2, 0.1], [2, 1, -1]].flatMap((position) =>
    [[0, 0, 0, 1], [0.5, 0.5, 0.5, 0.5], [0.1, -0.2, 0.3, 0.9]].map((quaternion) => ({ position, quaternion })),
  );
  const here = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

  test.each(descriptions.map((description) => ({ description })))('$description against every other in every pose', ({ description }) => {
    const [a, subjectA] = [oracleShape(description), createShape(description)];
    for (const other of descriptions) {
      const [b, subjectB] = [oracleShape(other), createShape(other)];
      for (const pose of poses) {
        const found = contact(subjectA, here, subjectB, pose, { margin: Infinity });
        const faults = judgeContact(a, here, b, pose, found, TOLERANCE, { points: 'f64' });
        expect({ other, pose, faults, status: found.status }).toEqual({ other, pose, faults: [], status: found.distance <= 0 ? 1 : 0 });
      }
    }
  });
});

test('lengths far below and above all that is promised still give finite answers', () => {
  for (const length of [Number.MIN_VALUE, 1e-310, 1e-200, 1e-40, 1e-12, 1e12, 1e30]) {
    for (const shape of [{ type: 'sphere', radius: length }, { type: 'box', halfExtents: [length, length, length] }] as const) {
      const subject = createShape(shape);
      const there = { position: [length, 0, 0], quaternion: [0, 0, 0, 1] };
      const found = contact(subject, { position: [0, 0, 0], quaternion: [0, 0, 0, 1] }, subject, there, { margin: Infinity });
      expect([found.distance, ...found.normal, ...found.pointA, ...found.pointB].every(Number.isFinite), `${shape.type} of ${length}`).toBe(true);
    }
  }
});
