/**
 * What MPR's contacts are judged by: they are right wherever GJK's are but for the depth, which may be more than the
 * least. The normal that comes with it separates the pair by exactly as much, and the bounds hold the true distance.
 */

import { F32_ROUNDING, F64_ROUNDING, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import {
  judgeContact,
  oracleError,
  separation,
  signedDistance,
  type ReportedContact,
} from '../../verification/oracle/index.ts';
import type { FamilyPair } from '../../verification/families/test-pairs.ts';

export interface MprJudgement {
  faults: string[];
  /** The oracle's signed distance. */
  truth: number;
}

export function judgeMprContact(
  pair: FamilyPair,
  reported: ReportedContact,
  k: number,
  points: 'f32' | 'f64',
  margin: number,
  truth = signedDistance(pair.a, pair.poseA, pair.b, pair.poseB).distance,
): MprJudgement {
  const { a, b, poseA, poseB, size } = pair;
  const t = k * size;
  const { status, distance, normal, pointA, pointB, lower, upper, hit } = reported;
  if (truth > t || distance > 0)
    return { faults: judgeContact(a, poseA, b, poseB, reported, k, { margin, points, truth }), truth };
  const faults: string[] = [];
  if (status !== Status.Overlapping) faults.push(`status ${status} at the true distance ${truth}`);
  if (hit === false) faults.push(`no hit at the true distance ${truth}`);
  if (!(distance <= truth + t)) faults.push(`distance ${distance} is less deep than the true ${truth}`);
  if (lower !== undefined && !(lower <= truth + oracleError(a, b) * size))
    faults.push(`lower bound ${lower} is above the true distance ${truth}`);
  if (upper !== undefined && !(upper >= truth - oracleError(a, b) * size))
    faults.push(`upper bound ${upper} is below the true distance ${truth}`);
  const length = Math.hypot(...Array.from(normal));
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) return { faults: [...faults, `normal has length ${length}`], truth };
  const n = Array.from(normal, (component) => component / length);
  const room = separation(a, poseA, b, poseB, n);
  if (!(Math.abs(room - distance) <= t)) faults.push(`supports along the normal give ${room}, reported ${distance}`);
  const ulp = points === 'f32' ? F32_ROUNDING : F64_ROUNDING;
  const coordinates =
    2 *
    ulp *
    [pointA, pointB, poseA.position, poseB.position].reduce((sum, v) => sum + Math.hypot(...Array.from(v)), 0);
  const leap = Math.hypot(...[0, 1, 2].map((i) => pointB[i] - pointA[i] - distance * normal[i]));
  if (!(leap <= t + coordinates)) faults.push(`pointB is ${leap} away from pointA + distance · normal`);
  return { faults, truth };
}
