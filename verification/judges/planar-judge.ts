/**
 * Judges reported answers in 2-D by the documented tolerances, compared with the brute-force signed distance, all
 * within t = k · max(s, |B - A|).
 */

import { F32_ROUNDING, F64_ROUNDING, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import {
  oraclePlanarShape,
  planarExtent,
  planarSeparation,
  planarSignedDistance,
  type OraclePlanarPose,
  type OraclePlanarShape,
} from '../oracle/planar.ts';

/** One item of a result, as iteration over `Distances` or `Contacts` gives it. */
export interface ReportedPlanarContact {
  status: number;
  distance: number;
  normal: ArrayLike<number>;
  pointA: ArrayLike<number>;
  pointB: ArrayLike<number>;
  lower?: number;
  upper?: number;
  /** Judged when given. */
  hit?: boolean;
}

/** One item of `Manifolds`. */
export interface ReportedPlanarManifold {
  status: number;
  normal: ArrayLike<number>;
  points: readonly { position: ArrayLike<number>; distance: number; feature: number }[];
  hit?: boolean;
}

export interface PlanarJudgeOptions {
  /** `'distances'` reports 0 and zeros for overlapping pairs. Default `'contacts'`. */
  query?: 'contacts' | 'distances';
  /** The query's margin. Wider gaps may end with a lower bound, a separating axis and zero points. Default Infinity. */
  margin?: number;
  /** Precision of the points. f32 points carry the rounding of world coordinates. Default `'f32'`. */
  points?: 'f32' | 'f64';
  /**
   * Whether the depth may exceed the true one, and its points may be off the surfaces: MPR's depth is an upper bound.
   * Default false.
   */
  isUpperBound?: boolean;
  /** The oracle's signed distance of the pair, if it is known already. */
  truth?: number;
}

/** The oracle's own error, as a share of max(s, |B - A|). */
const ORACLE_ERROR = 2e-15;

interface Judged {
  a: OraclePlanarShape;
  poseA: OraclePlanarPose;
  b: OraclePlanarShape;
  poseB: OraclePlanarPose;
}

/**
 * Descriptions of the faults of a reported distance or contact; empty if it is correct. `k` is the tolerance factor.
 */
export function judgePlanarContact(
  a: OraclePlanarShape,
  poseA: OraclePlanarPose,
  b: OraclePlanarShape,
  poseB: OraclePlanarPose,
  reported: ReportedPlanarContact,
  k: number,
  options: PlanarJudgeOptions = {},
): string[] {
  const { query = 'contacts', margin = Infinity, points = 'f32', isUpperBound = false } = options;
  const { status, distance, normal, pointA, pointB, lower, upper, hit } = reported;
  const faults: string[] = [];
  const pair: Judged = { a, poseA, b, poseB };
  const extent = planarExtent(a, poseA, b, poseB);
  const truth = options.truth ?? planarSignedDistance(a, poseA, b, poseB).distance;
  const t = k * extent;
  const error = ORACLE_ERROR * extent;

  const numbers = [distance, ...Array.from(normal), ...Array.from(pointA), ...Array.from(pointB)];
  if (!numbers.every(Number.isFinite)) faults.push(`not finite: distance, normal, points are ${numbers.join(' ')}`);
  if (lower !== undefined && !(lower <= truth + error))
    faults.push(`lower bound ${lower} is above the true distance ${truth}, t = ${t}`);
  if (upper !== undefined && !(upper >= truth - error))
    faults.push(`upper bound ${upper} is below the true distance ${truth}, t = ${t}`);
  // With this status the other fields carry no guarantee.
  if (status === Status.NotConverged) return faults;
  faults.push(...judgePlanarStatus(reported, truth, t, margin));
  if (distance <= 0 !== (status === Status.Overlapping)) faults.push(`status ${status} with distance ${distance}`);

  const isZero = (v: ArrayLike<number>) => norm(v) === 0;
  if (query === 'distances' && status === Status.Overlapping) {
    if (distance !== 0 || !isZero(normal) || !isZero(pointA) || !isZero(pointB))
      faults.push('an overlapping pair of `distances` has other values than zeros');
    return faults;
  }
  const length = norm(normal);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) return [...faults, `normal has length ${length}`];
  const room = planarSeparation(
    a,
    poseA,
    b,
    poseB,
    Array.from(normal, (x) => x / length),
  );

  const leftEarly = distance > margin && isZero(pointA) && isZero(pointB);
  for (const [name, bound] of [
    ['lower', lower],
    ['upper', upper],
  ] as const)
    if (bound !== undefined && !Number.isFinite(bound)) faults.push(`${name} bound ${bound} of an answer`);
  if (lower !== undefined && !leftEarly && !(lower - t <= distance))
    faults.push(`distance ${distance} below its lower bound ${lower}`);
  if (upper !== undefined && !(distance <= upper + t))
    faults.push(`distance ${distance} above its upper bound ${upper}`);
  if (leftEarly) {
    if (hit === true) faults.push('a hit without points');
    if (!(distance <= truth + t))
      faults.push(`early exit: ${distance} is no lower bound of the true distance ${truth}, t = ${t}`);
    if (!(room >= distance - t))
      faults.push(`early exit: the normal separates by ${room}, less than ${distance} - ${t}`);
    return faults;
  }

  const isExempt = isUpperBound && truth <= t && distance <= 0;
  if (!(Math.abs(distance - truth) <= t) && !(isExempt && distance < truth))
    faults.push(`distance ${distance}, true ${truth}: off by ${distance - truth}, t = ${t}`);
  if (!(Math.abs(room - distance) <= t))
    faults.push(`supports along the normal give ${room}, reported ${distance}, t = ${t}`);

  const coordinates = roundingOf(points, pointA, pair) + roundingOf(points, pointB, pair);
  const leap = [0, 1].map((i) => pointB[i] - pointA[i] - distance * normal[i]);
  if (!(norm(leap) <= t + coordinates))
    faults.push(`pointB - pointA - distance · normal has length ${norm(leap)}, t = ${t}`);
  if (!isExempt)
    faults.push(
      ...offSurface('pointA', pointA, a, poseA, t, coordinates),
      ...offSurface('pointB', pointB, b, poseB, t, coordinates),
    );
  return faults;
}

/** Checks status and hit, as far as they are guaranteed. */
export function judgePlanarStatus(
  { status, hit }: { status: number; hit?: boolean },
  truth: number,
  t: number,
  margin: number,
): string[] {
  if (status !== Status.Separated && status !== Status.Overlapping) return [`status ${status} for valid input`];
  const faults: string[] = [];
  if (truth > t && status !== Status.Separated) faults.push(`status ${status} at the true gap ${truth}, t = ${t}`);
  if (truth < -t && status !== Status.Overlapping)
    faults.push(`status ${status} at the true depth ${-truth}, t = ${t}`);
  if (hit !== undefined && Math.abs(truth - margin) > t && hit !== truth <= margin)
    faults.push(`hit is ${hit} at the true distance ${truth}, margin ${margin}, t = ${t}`);
  return faults;
}

/** Descriptions of the faults of a reported manifold whose contact has this distance. */
export function judgePlanarManifold(
  a: OraclePlanarShape,
  poseA: OraclePlanarPose,
  b: OraclePlanarShape,
  poseB: OraclePlanarPose,
  reported: ReportedPlanarManifold,
  contactDistance: number,
  k: number,
  options: Omit<PlanarJudgeOptions, 'query'> = {},
): string[] {
  const { margin = Infinity, points: precision = 'f32', isUpperBound = false } = options;
  const { status, normal, points, hit } = reported;
  if (status === Status.NotConverged) return [];
  const pair: Judged = { a, poseA, b, poseB };
  const t = k * planarExtent(a, poseA, b, poseB);
  const truth = options.truth ?? planarSignedDistance(a, poseA, b, poseB).distance;
  const faults = judgePlanarStatus(reported, truth, t, margin);
  const isHit = hit ?? truth <= margin;
  if (!isHit) {
    if (points.length > 0 && (hit === false || truth > margin + t))
      faults.push(`${points.length} points of a pair that is no hit`);
    return faults;
  }
  if (points.length === 0 && (hit === true || truth < margin - t)) faults.push('no point of a hit');
  if (points.length > 2) faults.push(`${points.length} points`);
  const length = norm(normal);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) return [...faults, `normal has length ${length}`];
  points.forEach(({ position, distance }, i) => {
    const numbers = [distance, ...Array.from(position)];
    if (!numbers.every(Number.isFinite))
      faults.push(`not finite: distance and position of point ${i} are ${numbers.join(' ')}`);
    if (!(distance <= (precision === 'f32' ? Math.fround(margin) : margin)))
      faults.push(`distance ${distance} of point ${i} beyond the margin ${margin}`);
    if (!(distance >= points[0].distance - t))
      faults.push(`point ${i} is deeper, ${distance}, than the first, ${points[0].distance}`);
    const onB = [0, 1].map((c) => position[c] + distance * normal[c]);
    const coordinates = roundingOf(precision, position, pair) + roundingOf(precision, onB, pair);
    if (isUpperBound && truth <= t && contactDistance <= 0) return;
    faults.push(
      ...offSurface(`point ${i}`, position, a, poseA, t, coordinates),
      ...offSurface(`point ${i} moved to B`, onB, b, poseB, t, coordinates),
    );
  });
  if (points.length > 0 && !(Math.abs(points[0].distance - contactDistance) <= t))
    faults.push(`the first point's distance ${points[0].distance}, the contact's ${contactDistance}, t = ${t}`);
  if (points.length === 2) {
    if (norm([0, 1].map((c) => points[0].position[c] - points[1].position[c])) === 0)
      faults.push('the same point twice');
    if (points[0].feature === points[1].feature) faults.push(`both points are named ${points[0].feature.toString(16)}`);
  }
  return faults;
}

const POINT = oraclePlanarShape({ type: 'circle', radius: 0 });

function offSurface(
  name: string,
  point: ArrayLike<number>,
  shape: OraclePlanarShape,
  pose: OraclePlanarPose,
  t: number,
  coordinates: number,
): string[] {
  const height = planarSignedDistance(shape, pose, POINT, { position: point, angle: 0 }).distance;
  return Math.abs(height) <= t + coordinates ? [] : [`${name} is ${height} off its shape's surface, t = ${t}`];
}

/** Each coordinate is rounded twice: in the point itself, and in its sum with the body's position. */
function roundingOf(precision: 'f32' | 'f64', point: ArrayLike<number>, { poseA, poseB }: Judged): number {
  return (
    2 *
    (precision === 'f32' ? F32_ROUNDING : F64_ROUNDING) *
    (norm(point) + norm(poseA.position) + norm(poseB.position))
  );
}

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1]);
}
