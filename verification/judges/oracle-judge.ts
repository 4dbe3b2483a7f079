/**
 * Judges a reported distance or contact by the guarantees of docs/conventions.md and docs/accuracy.md. Distance,
 * status, normal, witness points and bounds are compared with the brute-force signed distance, all within t = k ·
 * max(s, |B - A|). It shares nothing but tolerances with the judge of cli/verify, which works with the package's
 * own supports.
 */

import { isCurved } from '../../src/shapes/kinds.ts';
import {
  F32_ROUNDING,
  F64_ROUNDING,
  UNIT_TOLERANCE,
  toleranceOf,
  type Precision,
} from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import {
  oracleShape,
  pairSize,
  rotate,
  rotationMatrix,
  separation,
  type OraclePose,
  type OracleShape,
  type Vector,
} from '../oracle/shape.ts';
import { signedDistance } from '../oracle/signed-distance.ts';

/** One item of a result, as iteration over `Distances` or `Contacts` gives it. */
export interface ReportedContact {
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

export interface JudgeOptions {
  /** `'distances'` reports 0 and zeros for overlapping pairs. Default `'contacts'`. */
  query?: 'contacts' | 'distances';
  /** The query's margin. Wider gaps may end with a lower bound, a separating axis and zero points. Default Infinity. */
  margin?: number;
  /** Precision of the points. f32 points carry the rounding of world coordinates. Default `'f32'`. */
  points?: 'f32' | 'f64';
  /**
   * The share of itself by which every reported number may be off in addition, if k does not include the rounding of
   * results. Default 0.
   */
  rounding?: number;
  /** The oracle's signed distance of the pair, if it is known already. */
  truth?: number;
}

/** The oracle's own error, as a share of max(s, |B - A|). For curved shapes it is what the search leaves unproven. */
export function oracleError(a: OracleShape, b: OracleShape): number {
  const isSearched = [a, b].some(({ core }) => isCurved(core)) && [a, b].every(({ kind }) => kind !== 'halfspace');
  return isSearched ? 2e-9 : 1e-13;
}

/**
 * Descriptions of the faults of a reported contact; empty if it is correct. `k` is the tolerance factor, or the
 * precision that selects it.
 */
export function judgeContact(
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
  reported: ReportedContact,
  k: number | Precision,
  options: JudgeOptions = {},
): string[] {
  const { query = 'contacts', margin = Infinity, points = 'f32', rounding = 0 } = options;
  const { status, distance, normal, pointA, pointB, lower, upper, hit } = reported;
  const faults: string[] = [];
  const between = [0, 1, 2].map((i) => poseB.position[i] - poseA.position[i]);
  const extent = Math.max(pairSize(a, poseA, b, poseB), norm(between));
  const truth = options.truth ?? signedDistance(a, poseA, b, poseB).distance;
  const t = (typeof k === 'number' ? k : toleranceOf(k, a.core, b.core, truth <= 0)) * extent;
  const error = oracleError(a, b) * extent;
  const slack = rounding * Math.abs(distance);

  const numbers = [distance, ...Array.from(normal), ...Array.from(pointA), ...Array.from(pointB)];
  if (!numbers.every(Number.isFinite)) faults.push(`not finite: distance, normal, points are ${numbers.join(' ')}`);
  if (lower !== undefined && !(lower <= truth + error))
    faults.push(`lower bound ${lower} is above the true distance ${truth}`);
  if (upper !== undefined && !(upper >= truth - error))
    faults.push(`upper bound ${upper} is below the true distance ${truth}`);
  // With this status the other fields carry no guarantee.
  if (status === Status.NotConverged) return faults;
  if (status !== Status.Separated && status !== Status.Overlapping) {
    faults.push(`status ${status} for valid input`);
    return faults;
  }

  if (truth > t && status !== Status.Separated) faults.push(`status ${status} at the true gap ${truth}, t = ${t}`);
  if (truth < -t && status !== Status.Overlapping)
    faults.push(`status ${status} at the true depth ${-truth}, t = ${t}`);
  if (distance <= 0 !== (status === Status.Overlapping)) faults.push(`status ${status} with distance ${distance}`);
  if (hit !== undefined && Math.abs(truth - margin) > t && hit !== truth <= margin)
    faults.push(`hit is ${hit} at the true distance ${truth}, margin ${margin}`);

  const isZero = (v: ArrayLike<number>) => norm(v) === 0;
  if (query === 'distances' && status === Status.Overlapping) {
    if (distance !== 0 || !isZero(normal) || !isZero(pointA) || !isZero(pointB))
      faults.push('an overlapping pair of `distances` has other values than zeros');
    return faults;
  }

  const length = norm(normal);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
    faults.push(`normal has length ${length}`);
    return faults;
  }
  const n = Array.from(normal, (component) => component / length);
  // A rotation of the normal moves its supports by their lever, which is at most twice the size. The normal is rounded
  // twice: the second time by normalisation.
  const turn = 2 * rounding * 2 * extent;
  // A half-space is bounded only along its own normal. The reported normal must equal it, up to the tilt of the plane
  // over the extent.
  const own = halfspaceNormal(a, poseA, b, poseB);
  const tilt = own ? norm([0, 1, 2].map((i) => n[i] - own[i])) * extent : 0;
  if (!(tilt <= t + turn)) faults.push(`normal ${n.join(' ')} turned from the half-space's ${own!.join(' ')}`);
  const room = separation(a, poseA, b, poseB, own ?? n);

  const leftEarly = distance > margin && isZero(pointA) && isZero(pointB);
  for (const [name, bound] of [
    ['lower', lower],
    ['upper', upper],
  ] as const)
    if (bound !== undefined && !Number.isFinite(bound)) faults.push(`${name} bound ${bound} of an answer`);
  // If the distance is itself a lower bound, the reported lower bound may exceed it.
  if (lower !== undefined && !leftEarly && !(lower - t <= distance))
    faults.push(`distance ${distance} below its lower bound ${lower}`);
  if (upper !== undefined && !(distance <= upper + t))
    faults.push(`distance ${distance} above its upper bound ${upper}`);
  if (leftEarly) {
    if (!(distance <= truth + t + slack))
      faults.push(`early exit: ${distance} is no lower bound of the true distance ${truth}, t = ${t}`);
    if (!(room >= distance - t - slack - turn))
      faults.push(`early exit: the normal separates by ${room}, less than ${distance} - t`);
    return faults;
  }

  if (!(Math.abs(distance - truth) <= t + slack))
    faults.push(`distance ${distance}, true ${truth}: off by ${distance - truth}, t = ${t}`);
  if (!(Math.abs(room - distance) <= t + slack + turn))
    faults.push(`supports along the normal give ${room}, reported ${distance}, t = ${t}`);

  const ulp = points === 'f32' ? F32_ROUNDING : F64_ROUNDING;
  // Each coordinate is rounded twice: in the point itself, and in its sum with the body's position.
  const coordinates =
    2 * ulp * (norm(pointA) + norm(pointB) + norm(poseA.position) + norm(poseB.position)) +
    3 * slack +
    rounding * 2 * extent;
  const leap = [0, 1, 2].map((i) => pointB[i] - pointA[i] - distance * normal[i]);
  if (!(norm(leap) <= t + coordinates))
    faults.push(`pointB - pointA - distance · normal has length ${norm(leap)}, t = ${t}`);
  const witnesses = [
    ['pointA', pointA, a, poseA],
    ['pointB', pointB, b, poseB],
  ] as const;
  for (const [name, point, shape, pose] of witnesses) {
    const height = signedDistance(shape, pose, POINT, { position: point, quaternion: [0, 0, 0, 1] }).distance;
    if (!(Math.abs(height) <= t + coordinates)) faults.push(`${name} is ${height} off its shape's surface, t = ${t}`);
  }
  return faults;
}

/** The normal from A to B if either is a half-space. */
function halfspaceNormal(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): Vector | null {
  if (a.kind === 'halfspace') return rotate(rotationMatrix(poseA.quaternion), a.normal);
  if (b.kind === 'halfspace') return rotate(rotationMatrix(poseB.quaternion), b.normal).map((x) => -x) as Vector;
  return null;
}

const POINT = oracleShape({ type: 'sphere', radius: 0 });

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}
