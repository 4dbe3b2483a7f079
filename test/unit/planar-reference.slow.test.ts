/**
 * The double-precision reference in the plane against the oracle: every family, query, algorithm and margin, within
 * 1e-9 of max(s, |B - A|).
 */

import { describe, expect, test } from 'vitest';
import { planar, Status } from '../../src/cpu.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import { planarSignedDistance, oraclePlanarShape, type OraclePlanarPose } from '../../verification/oracle/planar.ts';
import {
  makePlanarFamily,
  makePlanarTypeFamily,
  planarFamilyNames,
  planarTypePairNames,
  type PlanarFamily,
  type PlanarFamilyName,
} from '../../verification/families/planar-families.ts';
import {
  judgePlanarReference,
  planarQueries,
  planarSubjects,
  takesAlgorithm,
  type PlanarOptions,
  type PlanarSubject,
} from '../helpers/planar.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_122;
const PAIRS = atNight(50, 600);

/** Every query with every margin that it is asked with; `distances` has the same two ends as `contacts`. */
const asked = planarQueries.flatMap((query) =>
  (query === 'intersects' ? [0, 0.05] : [Infinity, 0, 0.05]).map((margin) => ({ query, margin })),
);

interface Outcome {
  faults: string[];
  statuses: number[];
  answers: number;
}

function judgeAll(subjects: PlanarSubject[], options: Omit<PlanarOptions, 'margin'>): Outcome {
  const outcome: Outcome = { faults: [], statuses: [0, 0, 0, 0, 0], answers: 0 };
  for (const subject of subjects) {
    if (!takesAlgorithm(subject, options.algorithm)) continue;
    for (const { query, margin } of asked) {
      const { faults, status } = judgePlanarReference(query, subject, { ...options, margin });
      outcome.statuses[status]++;
      outcome.answers++;
      outcome.faults.push(
        ...faults.map((fault) => `seed ${SEED}, pair ${subject.index}, ${query}, margin ${margin}: ${fault}`),
      );
    }
  }
  return { ...outcome, faults: outcome.faults.slice(0, 5) };
}

function familyOf(name: string, count: number): PlanarFamily {
  return name.includes('/')
    ? makePlanarTypeFamily(name, count, SEED)
    : makePlanarFamily(name as PlanarFamilyName, count, SEED);
}

describe.each([...planarTypePairNames, ...planarFamilyNames, 'dense-corners'])('%s', (name) => {
  const count = name === 'dense-corners' ? atNight(2, 6) : PAIRS;
  const subjects = planarSubjects(familyOf(name, count));

  test.each([
    ['auto', { algorithm: 'auto' }],
    ['gjk', { algorithm: 'gjk' }],
    ['mpr', { algorithm: 'mpr' }],
    ['the first ray of mpr', { algorithm: 'mpr', mprDepth: 'ray' }],
  ] as const)('answers of every query by %s are right', (_, options) => {
    const { faults, statuses, answers } = judgeAll(subjects, options);
    expect(faults).toEqual([]);
    expect(answers).toBe(count * asked.length);
    expect(statuses[Status.NotConverged]).toBe(0);
    if (count < PAIRS) return;
    // Both outcomes come often enough for the family to mean something.
    expect(statuses[Status.Overlapping]).toBeGreaterThan(0.2 * answers);
    expect(statuses[Status.Separated]).toBeGreaterThan(0.1 * answers);
  });

  test('answers of every query by sat are right', () => {
    expect(judgeAll(subjects, { algorithm: 'sat' }).faults).toEqual([]);
  });
});

/** Contacts that were wrong once: what was named in the title was off its surface, or no separating direction. */
describe('what was wrong once', () => {
  const PI = Math.fround(Math.PI);
  const cases: [
    what: string,
    a: PlanarConvexDescription,
    poseA: OraclePlanarPose,
    b: PlanarConvexDescription,
    poseB: OraclePlanarPose,
  ][] = [
    [
      'a segment that ends a little before the end of another is nearest end to end, not along a normal that leads past it',
      { type: 'segment', points: [0, 0, 0.75, 1], radius: 0.25 },
      { position: [6.75, -8], angle: PI },
      { type: 'segment', points: [-0.5, 0, 0.5, 0] },
      { position: [7.25, -7.75], angle: PI },
    ],
    [
      'a circle a little beside the corner of a polygon touches its edge, along whose normal the distance is hardly less',
      { type: 'circle', radius: 0.5 },
      { position: [-6.25, 5.25], angle: PI },
      { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
      { position: [-6.25, 4.75], angle: Math.fround(1.5 * Math.PI) },
    ],
    [
      'an edge of the difference that is made of two parallel ones, the first of which alone EPA had found',
      { type: 'capsule', halfHeight: 0.5, radius: 0.5 },
      { position: [0, 0], angle: 2 },
      { type: 'rectangle', halfExtents: [0.5, 0.125] },
      { position: [0, 0], angle: 2 },
    ],
    [
      'of two opposite edges of the difference that are equally near, the one whose normal it is has the points',
      { type: 'capsule', halfHeight: 0.03542741760611534, radius: 0.02951299026608467 },
      { position: [9.999999974752427e-7, 6.25], angle: -1.1161953210830688 },
      { type: 'rectangle', halfExtents: [0.2136675864458084, 0.10035114735364914] },
      { position: [0, 6.25], angle: 0 },
    ],
    [
      'needles across each other: the tip of one is over the edge next to the one that is as deep to rounding',
      { type: 'polygon', points: [-1, 0, 0, -2e-12, 1, 0, 0, 2e-12] },
      { position: [0, 0], angle: -0.1446471968849221 },
      { type: 'polygon', points: [-1, 0, -0.5, -1e-12, 0.5, -1e-12, 1, 0, 0.3, 2e-12] },
      { position: [0.014414331902591776, 0.098955682182351], angle: 1.4261491299118372 },
    ],
    [
      'segments that lie in each other but for rounding overlap, though ends of them are next to each other',
      { type: 'capsule', halfHeight: 0.75, radius: 0.125 },
      { position: [0, 0], angle: 0 },
      { type: 'capsule', halfHeight: 0.75, radius: 0.125 },
      { position: [6e-16, 0.001], angle: 2.4e-15 },
    ],
    [
      'a short segment beyond the end of a long one is nearest end to end, though the normal is no farther but for rounding',
      {
        type: 'segment',
        points: [-0.03170622140169144, -0.0029732403345406055, -0.032007258385419846, -0.005612537730485201],
      },
      { position: [0.26691481471061707, -0.16049349308013916], angle: -1.1754143238067627 },
      {
        type: 'segment',
        points: [0.023429688066244125, 0.0528930127620697, -0.00859546847641468, -0.04892715811729431],
        radius: 0.005898579955101013,
      },
      { position: [0.29740533232688904, -0.1673014611005783], angle: 1.4779762029647827 },
    ],
  ];

  test.each(cases)('%s', (_, shapeA, poseA, shapeB, poseB) => {
    const [a, b] = [oraclePlanarShape(shapeA), oraclePlanarShape(shapeB)];
    const shapes = [planar.createShape(shapeA), planar.createShape(shapeB)] as const;
    const { distance } = planarSignedDistance(a, poseA, b, poseB);
    const subject: PlanarSubject = {
      index: 0,
      shapeA: 0,
      shapeB: 1,
      a,
      b,
      poseA,
      poseB,
      size: a.boundingRadius + b.boundingRadius,
      truth: distance,
      shapes,
    };
    for (const algorithm of ['auto', 'gjk'] as const) {
      // As near as f32 comes in its own precision: 42 units in the last place.
      for (const query of ['contacts', 'manifolds'] as const)
        expect(
          judgePlanarReference(query, subject, { algorithm, margin: Infinity }, 42 * Number.EPSILON).faults,
        ).toEqual([]);
    }
  });

  test('two points of a manifold have names of their own where one is on a rounded corner', () => {
    const a = planar.createShape({ type: 'rectangle', halfExtents: [0.015422690659761429, 0.02301093563437462] });
    const b = planar.createShape({
      type: 'rectangle',
      halfExtents: [0.006192145869135857, 0.006384837906807661],
      radius: 0.001452194293960929,
    });
    const poseA = { position: [0.12306658923625946, 0.0018542060861364007], angle: 1.1782474517822266 };
    const { points } = planar.manifold(
      a,
      poseA,
      b,
      { position: [0.13010579347610474, -0.02876812219619751], angle: 1.3755046129226685 },
      { margin: Infinity },
    );
    expect(points).toHaveLength(2);
    expect(points[0].feature).not.toBe(points[1].feature);
    // The far end of what lies along each other: not the one next to the corner.
    expect(Math.hypot(...[0, 1].map((k) => points[1].position[k] - points[0].position[k]))).toBeGreaterThan(0.005);
  });
});
