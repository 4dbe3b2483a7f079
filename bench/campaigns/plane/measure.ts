/**
 * What an engine says of a family's pairs in the plane, held against the double-precision reference, and of some of
 * them against the brute-force oracle too. Runs in Node and in pages: pairs are made from a seed where they are asked.
 */

import { planar } from '../../../src/cpu.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import { Status, type Contacts, type PlanarTester, type Vec2 } from '../../../src/api/types.ts';
import {
  judgePlanarContact,
  judgePlanarManifold,
  judgePlanarStatus,
} from '../../../verification/judges/planar-judge.ts';
import { planarSeparation } from '../../../verification/oracle/planar.ts';
import {
  makePlanarFamily,
  makePlanarTypeFamily,
  planarFamilyNames,
  planarPairsOf,
  planarTypePairNames,
  type PlanarFamily,
  type PlanarFamilyName,
  type PlanarFamilyPair,
} from '../../../verification/families/planar-families.ts';

/** Pairs of types, then structured families. */
export const FAMILIES: readonly string[] = [...planarTypePairNames, ...planarFamilyNames, 'dense-corners'];

export interface Row {
  family: string;
  pairs: number;
  /** Pairs that overlap, and pairs that the oracle judged. */
  overlapping: number;
  judged: number;
  /** Errors of distances, and of what supports along the normals give, as shares of max(s, |B - A|). */
  distanceError: number;
  normalError: number;
  /**
   * Pairs with errors beyond the tolerance, with a status of the wrong sign, with a hit that is none or a missed one,
   * and without an answer.
   */
  outside: number;
  wrongSigns: number;
  wrongHits: number;
  notConverged: number;
  /** Manifolds without a point, or whose first has not the contact's depth. */
  wrongManifolds: number;
  /** What the oracle found wrong, pair by pair. */
  faults: number;
  /** The first fault, in words. */
  example: string;
}

export function emptyRow(family: string): Row {
  return {
    family,
    pairs: 0,
    overlapping: 0,
    judged: 0,
    distanceError: 0,
    normalError: 0,
    outside: 0,
    wrongSigns: 0,
    wrongHits: 0,
    notConverged: 0,
    wrongManifolds: 0,
    faults: 0,
    example: '',
  };
}

export function addRow(from: Row, to: Row): void {
  for (const name of [
    'pairs',
    'overlapping',
    'judged',
    'outside',
    'wrongSigns',
    'wrongHits',
    'notConverged',
    'wrongManifolds',
    'faults',
  ] as const)
    to[name] += from[name];
  // NaN stays: `Math.max` of it is NaN.
  to.distanceError = Math.max(to.distanceError, from.distanceError);
  to.normalError = Math.max(to.normalError, from.normalError);
  to.example ||= from.example;
}

function familyOf(name: string, count: number, seed: number): PlanarFamily {
  return planarTypePairNames.includes(name)
    ? makePlanarTypeFamily(name, count, seed)
    : makePlanarFamily(name as PlanarFamilyName, count, seed);
}

/** Asks a tester of its own; the first `judged` pairs go to the oracle. */
export async function measure(
  tester: PlanarTester,
  name: string,
  count: number,
  seed: number,
  judged: number,
): Promise<Row> {
  const family = familyOf(name, count, seed);
  const ids = family.shapes.map((shape) => tester.addShape(shape));
  const bodies = { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
  const contacts = await tester.contacts(bodies, family.pairs, { margin: Infinity, bounds: true });
  const distances = await tester.distances(bodies, family.pairs);
  const { hit, status } = await tester.intersects(bodies, family.pairs);
  const manifolds = await tester.manifolds(bodies, family.pairs);
  for (const id of ids) tester.removeShape(id);

  const row = { ...emptyRow(name), pairs: count };
  const shapes = family.shapes.map((shape) => planar.createShape(shape));
  for (const pair of planarPairsOf(family)) {
    const i = pair.index;
    const truth = planar.contact(shapes[pair.shapeA], pair.poseA, shapes[pair.shapeB], pair.poseB, {
      margin: Infinity,
    }).distance;
    const t = TOLERANCE.kernels * pair.size;
    check(pair, contacts, truth, t, row);
    if (truth < 0) row.overlapping++;
    const gap = distances.distance[i];
    if (
      distances.status[i] === Status.NotConverged ||
      status[i] === Status.NotConverged ||
      manifolds.status[i] === Status.NotConverged
    )
      row.notConverged++;
    const isOff = distances.status[i] === Status.Separated && missOf(pair, distances, row) > t;
    if (!(Math.abs(gap - Math.max(truth, 0)) <= t) || isOff) row.outside++;
    if (isWrongSign(distances.status[i], truth, t) || isWrongSign(status[i], truth, t)) row.wrongSigns++;
    if (Math.abs(truth) > t && (hit[i] === 1) !== truth <= 0) row.wrongHits++;
    const points = manifolds.pointCount[i];
    const isDeep = points > 0 && Math.abs(manifolds.distance[4 * i] - truth) <= t;
    if (truth < -t ? !isDeep : truth > t && points > 0) row.wrongManifolds++;
    if (i >= judged) continue;
    row.judged++;
    const given = contactAt(contacts, i);
    const item = {
      status: manifolds.status[i],
      normal: manifolds.normal.subarray(2 * i, 2 * i + 2),
      points: pointsAt(manifolds, i),
    };
    const faults = [
      ...judgePlanarContact(pair.a, pair.poseA, pair.b, pair.poseB, given, TOLERANCE.kernels),
      ...judgePlanarContact(
        pair.a,
        pair.poseA,
        pair.b,
        pair.poseB,
        contactAt(distances as Contacts<Vec2>, i),
        TOLERANCE.kernels,
        { query: 'distances' },
      ),
      ...judgePlanarStatus({ status: status[i], hit: hit[i] === 1 }, truth, t, 0),
      ...judgePlanarManifold(pair.a, pair.poseA, pair.b, pair.poseB, item, given.distance, TOLERANCE.kernels, {
        margin: 0,
      }),
    ];
    if (faults.length > 0) row.faults++;
    if (faults.length > 0) row.example ||= `pair ${i} of seed ${seed}: ${faults[0]}`;
  }
  return row;
}

function isWrongSign(status: number, truth: number, t: number): boolean {
  return (truth > t && status === Status.Overlapping) || (truth < -t && status === Status.Separated);
}

/** The difference of a distance from what the shapes' supports along its normal give. */
function missOf(
  { index: i, a, poseA, b, poseB, size }: PlanarFamilyPair,
  { distance, normal }: Pick<Contacts<Vec2>, 'distance' | 'normal'>,
  row: Row,
): number {
  const room = planarSeparation(a, poseA, b, poseB, [normal[2 * i], normal[2 * i + 1]]);
  const miss = Math.abs(room - distance[i]);
  row.normalError = Math.max(row.normalError, miss / (size || 1));
  return miss;
}

function check(pair: PlanarFamilyPair, contacts: Contacts<Vec2>, truth: number, t: number, row: Row): void {
  const { index: i, size } = pair;
  const { distance, status, lower, upper } = contacts;
  const error = Math.abs(distance[i] - truth);
  const miss = missOf(pair, contacts, row);
  // Two points in one place have no size.
  row.distanceError = Math.max(row.distanceError, error / (size || 1));
  if (status[i] === Status.NotConverged) row.notConverged++;
  else if (!(error <= t && miss <= t && lower![i] <= truth + 1e-9 * size && upper![i] >= truth - 1e-9 * size))
    row.outside++;
  if (isWrongSign(status[i], truth, t)) row.wrongSigns++;
}

function contactAt({ status, distance, normal, pointA, pointB, lower, upper }: Contacts<Vec2>, i: number) {
  const vector = (array: Float32Array | Float64Array) => array.subarray(2 * i, 2 * i + 2);
  return {
    status: status[i],
    distance: distance[i],
    normal: vector(normal),
    pointA: vector(pointA),
    pointB: vector(pointB),
    lower: lower?.[i],
    upper: upper?.[i],
  };
}

function pointsAt(
  { pointCount, position, distance, feature }: Awaited<ReturnType<PlanarTester['manifolds']>>,
  i: number,
) {
  return Array.from({ length: pointCount[i] }, (_, point) => {
    const at = 4 * i + point;
    return { position: position.subarray(2 * at, 2 * at + 2), distance: distance[at], feature: feature[at] };
  });
}
