/**
 * Judges an engine's answer for one pair by what DESIGN promises (sections 2, 3 and 6): status, hit, distance, normal,
 * witness points and bounds, all within t = k · max(s, |B - A|) of the truth.
 *
 * Normal and points are judged by supports and by the oracle's distance of a point from a shape, so that any of several
 * equally good answers will do. Points are f32 in the families here: they may be off by the rounding of their coordinates
 * besides. The engine `cpu` works in double precision and rounds its results to f32, and t does not contain that, as it
 * does for the kernels: there each number may be off by that rounding, too.
 */

import { oracleShape, separation, signedDistance } from '../../../test/oracle/index.ts';
import type { OraclePose, OracleShape } from '../../../test/oracle/index.ts';
import { Status } from '../../types.ts';
import type { Answer, Question } from '../engines/engine.ts';
import { errorShare, isWrongSign, TOLERANCE } from './errors.ts';
import type { Subject } from './subject.ts';
import { oraclePair } from './truth.ts';

/** What can be wrong with the answer for a pair, in words. */
export const FAULTS = {
  outside: 'distance outside the tolerance',
  wrongSign: 'wrong status',
  wrongHit: 'wrong hit',
  wrongNormal: 'normal that is no unit vector, or whose supports give another distance',
  wrongPoint: 'witness point off its surface, or not reached from the other along the normal',
  brokenBound: 'bounds that do not hold the truth',
} as const;
export type Fault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

export interface Terms {
  /** k. */
  tolerance: number;
  /** By which share of itself each number may be off on top of that. */
  rounding: number;
}

export function termsOf(backend: 'webgpu' | 'cpu'): Terms {
  return backend === 'cpu' ? { tolerance: TOLERANCE.reference, rounding: F32_ROUNDING } : { tolerance: TOLERANCE.kernels, rounding: 0 };
}

export interface Verdict {
  faults: Fault[];
  /** Of the distance, as a share of the size; NaN where there is nothing to measure. Infinite where the distance is no number. */
  error: number;
  isConverged: boolean;
}

const F32_ROUNDING = 2 ** -24;
const UNIT_TOLERANCE = 1e-5;
/** How far the truth itself may be off, as a share of the size: by the oracle and by the reference. */
const ORACLE_ERROR = 1e-13;

const POINT = oracleShape({ type: 'sphere', radius: 0 });

/** Slot `pair` of an answer to `query` with an infinite margin, or to `intersects` with margin 0. */
export function judge(subject: Subject, pair: number, query: Question['query'], answer: Answer, terms: Terms): Verdict {
  const status = answer.status[pair];
  const size = subject.sizes[pair];
  const truth = subject.truth[pair];
  const t = terms.tolerance * size;
  const verdict: Verdict = { faults: [], error: NaN, isConverged: status !== Status.NotConverged };
  if (answer.lower && answer.upper && !holdsTruth(subject, pair, answer.lower[pair], answer.upper[pair])) verdict.faults.push('brokenBound');
  if (!verdict.isConverged) {
    // The distance is then a lower bound.
    const most = query === 'distances' ? Math.max(truth, 0) : truth;
    if (answer.distance && !(answer.distance[pair] <= most + t)) verdict.faults.push('outside');
    return verdict;
  }
  if (isWrongSign(status, truth, t)) verdict.faults.push('wrongSign');
  if (answer.hit) {
    if (Math.abs(truth) > t && (answer.hit[pair] === 1) !== truth <= 0) verdict.faults.push('wrongHit');
  } else if (query === 'distances' && status === Status.Overlapping) {
    judgeOverlap(answer as Witness, pair, Math.max(truth, 0), size, terms, verdict);
  } else {
    judgeWitness(subject, answer as Witness, pair, terms, verdict);
  }
  return verdict;
}

type Witness = Answer & Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>>;

function holdsTruth({ truth, sizes, byOracle }: Subject, pair: number, lower: number, upper: number): boolean {
  const slack = (byOracle[pair] ? ORACLE_ERROR : TOLERANCE.reference) * sizes[pair];
  return lower <= truth[pair] + slack && upper >= truth[pair] - slack;
}

/** `distances` does not resolve penetration: zeros everywhere. `gap` is the true distance, 0 for overlap. */
function judgeOverlap(answer: Witness, pair: number, gap: number, size: number, terms: Terms, to: Verdict): void {
  to.error = errorShare(answer.distance[pair], gap, size);
  if (answer.distance[pair] !== 0 || to.error > terms.tolerance) to.faults.push('outside');
  if (norm(vectorAt(answer.normal, pair)) !== 0) to.faults.push('wrongNormal');
  if (norm(vectorAt(answer.pointA, pair)) !== 0 || norm(vectorAt(answer.pointB, pair)) !== 0) to.faults.push('wrongPoint');
}

function judgeWitness(subject: Subject, answer: Witness, pair: number, terms: Terms, to: Verdict): void {
  const { a, poseA, b, poseB } = oraclePair(subject.family, subject.shapes, pair);
  const size = subject.sizes[pair];
  const truth = subject.truth[pair];
  const t = terms.tolerance * size;
  const distance = answer.distance[pair];
  const rounding = terms.rounding * Math.abs(distance);
  const error = errorShare(distance, truth, size);
  to.error = error === Infinity ? Infinity : Math.max(0, error - rounding / size);
  if (to.error > terms.tolerance) to.faults.push('outside');
  if (distance <= 0 !== (answer.status[pair] === Status.Overlapping) && !to.faults.includes('wrongSign')) to.faults.push('wrongSign');

  const normal = vectorAt(answer.normal, pair);
  const length = norm(normal);
  const unit = normal.map((x) => x / length);
  // A turn of the normal moves its supports by their lever, at most twice the size. Two roundings: the second by making it a unit vector.
  const turn = 2 * terms.rounding * 2 * size;
  const room = separation(a, poseA, b, poseB, unit);
  if (!(Math.abs(length - 1) <= UNIT_TOLERANCE && Math.abs(room - distance) <= t + rounding + turn)) to.faults.push('wrongNormal');

  const pointA = vectorAt(answer.pointA, pair);
  const pointB = vectorAt(answer.pointB, pair);
  // Two roundings a coordinate: the point's own, and that of the sum with the body's position.
  const coordinates = 2 * F32_ROUNDING * (norm(pointA) + norm(pointB) + norm(poseA.position) + norm(poseB.position));
  const slack = t + coordinates + 3 * rounding;
  const leap = norm([0, 1, 2].map((k) => pointB[k] - pointA[k] - distance * normal[k]));
  const isReached = leap <= slack;
  const isOff = subject.byOracle[pair] === 1 && !(offSurface(a, poseA, pointA) <= slack && offSurface(b, poseB, pointB) <= slack);
  if (!isReached || isOff) to.faults.push('wrongPoint');
}

function offSurface(shape: OracleShape, pose: OraclePose, point: number[]): number {
  return Math.abs(signedDistance(shape, pose, POINT, { position: point, quaternion: [0, 0, 0, 1] }).distance);
}

function vectorAt(array: ArrayLike<number>, pair: number): number[] {
  return [array[3 * pair], array[3 * pair + 1], array[3 * pair + 2]];
}

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}
