/**
 * The kernels on Dawn against the double-precision CPU backend on every family, a share of them against the oracle, and
 * the hard cases: distances, statuses, normals and witness points within the kernels' tolerance of max(s, |B - A|).
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING, F64_ROUNDING, TOLERANCE, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import {
  Status,
  type Algorithm,
  type Contacts,
  type Distances,
  type Intersections,
  type Tester,
} from '../../src/api/types.ts';
import { kernelFamilies } from '../helpers/kernel-families.ts';
import { atNight } from '../helpers/night.ts';
import type { Family } from '../../verification/families/families.ts';
import { pairName } from '../../verification/families/family.ts';
import { judgeContact, separation } from '../../verification/oracle/index.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import {
  boxPairsOf,
  comparedAt,
  hardCases,
  isStructured,
  pairsOf,
  summary,
  toleranceAt,
  useShapes,
  type FamilyPair,
} from '../../verification/families/test-pairs.ts';

/** Structured pairs that may end as NotConverged, of each family and algorithm, as a share. */
const MOST_NOT_CONVERGED = 0;

const SEED = 20_250_102;
/** Pairs that the oracle judges, evenly spread. */
const JUDGED = atNight(100, 300);

const POINT = createShape({ type: 'sphere', radius: 0 });

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

function label(family: Family, index: number): string {
  return `seed ${SEED}, ${pairName(family, index)}`;
}

/** Faults of signed distances, or of distances with 0 for overlap, against the reference. */
function compareDistances(
  family: Family,
  pairs: FamilyPair[],
  found: Distances | Contacts,
  reference: Distances | Contacts,
): string[] {
  return pairs.flatMap((pair) => {
    const { index, size } = pair;
    const faults: string[] = [];
    const [distance, expected] = [found.distance[index], reference.distance[index]];
    const t = comparedAt(pair, expected);
    const [status, right] = [found.status[index], reference.status[index]];
    if (!(Math.abs(distance - expected) <= t))
      faults.push(`distance ${distance}, reference ${expected}, off by ${(distance - expected) / size} of the size`);
    if (status !== right && Math.abs(expected) > t)
      faults.push(`status ${status}, reference ${right} at the distance ${expected}`);
    return faults.map((fault) => `${label(family, index)}: ${fault}`);
  });
}

/**
 * Faults of normals and points: unit, one reached from the other along the normal, supports reproduce the distance,
 * both points on their surfaces.
 */
function checkWitnesses(
  family: Family,
  pairs: FamilyPair[],
  found: Distances | Contacts,
  isExempt: (index: number) => boolean,
): string[] {
  const shapes = family.shapes.map((shape) => createShape(shape));
  return pairs.flatMap((pair) => {
    const { index, a, b, poseA, poseB, shapeA, shapeB, size } = pair;
    if (isExempt(index)) return [];
    const faults: string[] = [];
    const t = toleranceAt('kernels', pair, found.distance[index]);
    const [n, p, q] = [found.normal, found.pointA, found.pointB].map((array) =>
      array.subarray(3 * index, 3 * index + 3),
    );
    const distance = found.distance[index];
    const length = Math.hypot(n[0], n[1], n[2]);
    if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) faults.push(`normal has length ${length}`);
    const rounding =
      2 *
      (isWide(found) ? F64_ROUNDING : F32_ROUNDING) *
      [p, q, poseA.position, poseB.position].reduce((sum, v) => sum + Math.hypot(v[0], v[1], v[2]), 0);
    const leap = Math.hypot(...[0, 1, 2].map((k) => q[k] - p[k] - distance * n[k]));
    if (!(leap <= t + rounding)) faults.push(`pointB is ${leap} away from pointA + distance · normal`);
    const room = separation(
      a,
      poseA,
      b,
      poseB,
      Array.from(n, (x) => x / length),
    );
    if (!(Math.abs(room - distance) <= t)) faults.push(`supports along the normal give ${room}, reported ${distance}`);
    for (const [shape, pose, position, name] of [
      [shapeA, poseA, p, 'pointA'],
      [shapeB, poseB, q, 'pointB'],
    ] as const) {
      const height = contact(
        shapes[shape],
        pose,
        POINT,
        { position, quaternion: [0, 0, 0, 1] },
        { margin: Infinity },
      ).distance;
      if (!(Math.abs(height) <= t + rounding))
        faults.push(`${name} is ${height} off its surface, ${height / size} of the size`);
    }
    return faults.map((fault) => `${label(family, index)}: ${fault}`);
  });
}

function isWide({ pointA }: Distances | Contacts): boolean {
  return pointA instanceof Float64Array;
}

function judgeSome(
  family: Family,
  pairs: FamilyPair[],
  found: Distances | Contacts,
  query: 'distances' | 'contacts',
): string[] {
  const items = [...found];
  // An odd step: bodies of odd pairs are swapped.
  const step = Math.floor(pairs.length / JUDGED) | 1;
  return pairs
    .filter((_, i) => i % step === 0)
    .flatMap(({ index, a, b, poseA, poseB }) =>
      judgeContact(a, poseA, b, poseB, items[index], 'kernels', { query, points: isWide(found) ? 'f64' : 'f32' }).map(
        (fault) => `${label(family, index)}: ${fault}`,
      ),
    );
}

function compareHits(
  family: Family,
  pairs: FamilyPair[],
  found: Intersections,
  reference: Contacts,
  margin: number,
): string[] {
  return pairs.flatMap((pair) => {
    const { index } = pair;
    const expected = reference.distance[index];
    const t = comparedAt(pair, expected);
    const faults: string[] = [];
    if (Math.abs(expected) > t && (found.status[index] === Status.Overlapping) !== expected <= 0)
      faults.push(`status ${found.status[index]}`);
    if (Math.abs(expected - margin) > t && (found.hit[index] === 1) !== expected <= margin)
      faults.push(`hit ${found.hit[index]}`);
    return faults.map((fault) => `${label(family, index)}: ${fault} at the distance ${expected}, margin ${margin}`);
  });
}

describe.each(kernelFamilies((name) => (isStructured(name) ? atNight(100, 5000) : atNight(100, 20_000)), SEED))(
  '$name',
  (family) => {
    const pairs = pairsOf(family);
    const total = pairs.length;
    const areBoxes = family.shapes.every(({ type }) => type === 'box');
    /** In CI, kernels for fixed-point positions compile once. */
    const ofHulls: Algorithm[] = atNight(family.name === '64-bit positions', false) ? ['auto'] : ['gjk', 'auto'];
    /** Signed distances of all pairs in double precision. */
    let reference: Contacts;

    beforeAll(async () => {
      for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
      reference = await cpu.contacts(family.bodies, family.pairs, { margin: Infinity });
    });

    test.each(areBoxes ? (['gjk', 'sat'] as const) : ofHulls)(
      'contacts by %s have the distance, status and witnesses of the truth',
      async (algorithm) => {
        const found = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm, bounds: true });
        expect(summary(compareDistances(family, pairs, found, reference))).toEqual([]);
        expect(
          summary(checkWitnesses(family, pairs, found, (index) => found.status[index] === Status.NotConverged)),
        ).toEqual([]);
        expect(summary(judgeSome(family, pairs, found, 'contacts'))).toEqual([]);
        expect(found.statusCounts[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED * total);
        expect(found.statusCounts.reduce((sum, n) => sum + n)).toBe(total);
        expect(Math.min(...found.statusCounts.slice(0, 2))).toBeGreaterThan(0.15 * total);
      },
    );

    test.each(areBoxes ? (['gjk', 'sat', 'auto'] as const) : ofHulls)(
      'distances by %s are right, and zeros where the shapes overlap',
      async (algorithm) => {
        const found = await gpu.distances(family.bodies, family.pairs, { algorithm });
        const expected = await cpu.distances(family.bodies, family.pairs, { algorithm });
        const isExempt = (index: number) => found.status[index] !== Status.Separated;
        expect(
          summary(compareDistances(family, pairs, found, expected).filter((fault) => !fault.includes('status'))),
        ).toEqual([]);
        // Overlap shows as 0 in both, so that statuses are compared with the signed distance.
        const wrong = pairs.filter((pair) => {
          const truth = reference.distance[pair.index];
          return (
            Math.abs(truth) > toleranceAt('kernels', pair, truth) && found.status[pair.index] !== (truth <= 0 ? 1 : 0)
          );
        });
        expect(summary(wrong.map(({ index }) => label(family, index)))).toEqual([]);
        expect(summary(checkWitnesses(family, pairs, found, isExempt))).toEqual([]);
        expect(summary(judgeSome(family, pairs, found, 'distances'))).toEqual([]);
        expect(found.statusCounts[Status.NotConverged]).toBeLessThanOrEqual(MOST_NOT_CONVERGED * total);
      },
    );

    test.each((areBoxes ? ['gjk', 'sat'] : ['gjk']) as Algorithm[])(
      'intersects by %s knows hits and overlaps with and without a margin',
      async (algorithm) => {
        for (const margin of [0, 0.03125]) {
          const found = await gpu.intersects(family.bodies, family.pairs, { algorithm, margin });
          expect(summary(compareHits(family, pairs, found, reference, margin))).toEqual([]);
          expect(found.hits).toBe(found.hit.filter((hit) => hit === 1).length);
          expect(found.hits).toBeGreaterThan(0.2 * total);
          // A margin may be wider than every gap of a family that is about touch.
          if (margin === 0) expect(total - found.hits).toBeGreaterThan(0.1 * total);
        }
      },
    );

    test('contacts with margin 0 leave early with a lower bound and a separating axis', async () => {
      const found = await gpu.contacts(family.bodies, family.pairs, { algorithm: 'gjk' });
      const items = [...found];
      const early = items.filter(
        ({ distance, pointA, pointB }) => distance > 0 && Math.hypot(...pointA, ...pointB) === 0,
      );
      expect(early.length).toBeGreaterThan(0.1 * total);
      const faults = early.flatMap(({ pair, distance, normal }) => {
        const { a, b, poseA, poseB } = pairs[pair];
        const t = comparedAt(pairs[pair], distance);
        const room = separation(a, poseA, b, poseB, normal);
        const isRight =
          distance <= reference.distance[pair] + t &&
          room >= distance - t &&
          Math.abs(Math.hypot(...normal) - 1) <= UNIT_TOLERANCE;
        return isRight ? [] : [`${label(family, pair)}: ${distance} along ${normal}, true ${reference.distance[pair]}`];
      });
      expect(summary(faults)).toEqual([]);
    });
  },
);

describe('poses that broke other libraries', () => {
  const { cases, family } = hardCases();
  const boxes = boxPairsOf(family);

  test.each([
    ['webgpu', 'gjk'],
    ['webgpu', 'sat'],
    ['webgpu', 'auto'],
    ['cpu', 'gjk'],
    ['cpu', 'sat'],
    ['cpu', 'auto'],
  ] as const)('%s by %s answers every one in every query', async (backend, algorithm) => {
    const tester = backend === 'cpu' ? cpu : gpu;
    const [precision, rounding] =
      backend === 'cpu' ? (['reference', F32_ROUNDING] as const) : (['kernels', 0] as const);
    const subject = algorithm === 'sat' ? boxes : family;
    useShapes(tester, family.shapes);
    const pairs = pairsOf(subject);
    expect(pairs.length).toBe(algorithm === 'sat' ? 21 : cases.length);
    const contacts = await tester.contacts(subject.bodies, subject.pairs, {
      algorithm,
      margin: Infinity,
      bounds: true,
    });
    const distances = await tester.distances(subject.bodies, subject.pairs, { algorithm });
    const hits = await tester.intersects(subject.bodies, subject.pairs, { algorithm });
    const [contactItems, distanceItems] = [[...contacts], [...distances]];
    const faults = pairs.flatMap((pair) => {
      const { index, a, b, poseA, poseB } = pair;
      // Pair i of the file is bodies 2i and 2i + 1.
      const { id, truthSignedDistance: truth } = cases[subject.pairs[2 * index] / 2];
      const t = toleranceAt(precision, pair, truth) + rounding * Math.abs(truth);
      const found = judgeContact(a, poseA, b, poseB, contactItems[index], precision, { rounding });
      found.push(
        ...judgeContact(a, poseA, b, poseB, distanceItems[index], precision, { query: 'distances', rounding }),
      );
      if (!(Math.abs(contacts.distance[index] - truth) <= t))
        found.push(`contact at ${contacts.distance[index]}, true ${truth}`);
      if (!(Math.abs(distances.distance[index] - Math.max(truth, 0)) <= t))
        found.push(`distance ${distances.distance[index]}, true ${truth}`);
      if (Math.abs(truth) > t && (hits.hit[index] === 1) !== truth <= 0)
        found.push(`hit ${hits.hit[index]}, true ${truth}`);
      if (contacts.status[index] > Status.Overlapping || distances.status[index] > Status.Overlapping)
        found.push('no answer');
      return found.map((fault) => `${id}: ${fault}`);
    });
    expect(summary(faults)).toEqual([]);
  });
});

describe('hulls of thousands of vertices', () => {
  const random = createRandom(SEED + 2);
  const VERTICES = 4096;
  const points = Float32Array.from(Array.from({ length: VERTICES }, () => unitVector(random, [0, 0, 0])).flat());
  const shapes = [
    { type: 'hull', points },
    { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
  ] as const;
  const turn = [0.1, 0.2, 0.3, 0.9];
  const places = [0.25, 0.75, 1.25, 1.4990234375, 1.75, 2.5];
  const bodies = {
    shapes: Uint32Array.from(places.flatMap(() => [0, 1, 0])),
    positions: Float32Array.from(places.flatMap((x) => [0, 0, 0, x, 0.25 * x, 0, x, 0, 0.25 * x])),
    quaternions: Float32Array.from(places.flatMap(() => [[0, 0, 0, 1], turn, turn]).flat()),
  };
  // The hull against the box and against itself.
  const pairs = Uint32Array.from(places.flatMap((_, i) => [3 * i, 3 * i + 1, 3 * i, 3 * i + 2]));

  test('the answer is right, or the status says that it is not and the bounds hold', async () => {
    for (const tester of [gpu, cpu]) useShapes(tester, shapes);
    const found = await gpu.contacts(bodies, pairs, { margin: Infinity, bounds: true });
    const truth = await cpu.contacts(bodies, pairs, { margin: Infinity });
    expect(truth.statusCounts[Status.NotConverged]).toBe(0);
    for (const { pair, status, distance, lower, upper } of found) {
      const expected = truth.distance[pair];
      // The reference is that good, and its results come as f32.
      const error = 4 * (TOLERANCE.reference + F32_ROUNDING);
      expect(lower, `pair ${pair}: lower bound of ${expected}`).toBeLessThanOrEqual(expected + error);
      expect(upper, `pair ${pair}: upper bound of ${expected}`).toBeGreaterThanOrEqual(expected - error);
      if (status !== Status.NotConverged)
        expect(Math.abs(distance - expected), `pair ${pair}: ${distance}, true ${expected}`).toBeLessThanOrEqual(
          4 * TOLERANCE.kernels + error,
        );
    }
    const apart = truth.distance.filter((distance) => distance > 0).length;
    expect(apart).toBeGreaterThan(2);
    expect(found.statusCounts[Status.Separated]).toBe(apart);
    expect(found.statusCounts[Status.Overlapping] + found.statusCounts[Status.NotConverged]).toBe(
      pairs.length / 2 - apart,
    );
  });
});
