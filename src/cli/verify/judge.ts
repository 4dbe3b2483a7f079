/**
 * Judges an engine's answer for one pair by what is promised of it: distance, status, hit, normal, witness points and
 * bounds against the double-precision reference, within t = k · max(s, |B - A|).
 *
 * Results are f32. On WebGPU the tolerance contains that rounding. That of the engine `cpu` does not: there each reported
 * number may be off by the share 2^-24 of itself besides, and a normal whose components are thus rounded moves what its
 * supports give by up to 2^-23 times their lever (once for the rounding, once for making it a unit vector again). On
 * every engine points may be off by 2^-53 of their coordinates, where A's position was added to them. An error is what is
 * left after these roundings, so that it can be held against the tolerance.
 *
 * Normal and points are judged by supports, so that any of several equally good answers will do.
 */

import { addScaled, dot, length, scale, set, subtract, vec3 } from '../../cpu/math.ts';
import type { Vec3 } from '../../cpu/math.ts';
import type { QueryName } from '../../pack/results.ts';
import { GPU_TOLERANCE } from '../../scene/bounds.ts';
import { Status } from '../../types.ts';
import type { Answer } from '../engines/engine.ts';
import type { Verdict } from './faults.ts';
import { hasAnswer } from './reference.ts';
import type { Reference } from './reference.ts';
import { createAlong, createStanding, standingOnA, standingOnB, supportsAlong } from './supports.ts';

/** What answers are judged by. */
export interface Terms {
  query: QueryName;
  margin: number;
  /** k: the tolerance as a share of max(s, |B - A|). */
  tolerance: number;
  /** The share of itself by which a reported f32 number may be off on top of the tolerance. */
  rounding: number;
}

/** Tolerance of the kernels, which work in f32, and of the engine that is itself the reference. */
const SHARES = { webgpu: { tolerance: GPU_TOLERANCE, rounding: 0 }, cpu: { tolerance: 1e-9, rounding: 2 ** -24 } } as const;

export function termsOf(backend: 'webgpu' | 'cpu', query: QueryName, margin: number): Terms {
  return { query, margin, ...SHARES[backend] };
}

const DOUBLE_ROUNDING = 2 ** -53;
/** How far from 1 the length of a normal may be. */
const UNIT_TOLERANCE = 1e-5;

const normal = vec3();
const unit = vec3();
const pointA = vec3();
const pointB = vec3();
const along = createAlong();
const standing = createStanding();
const leap = vec3();

/** `slot` is the pair's place in the answer of all pairs; `isListed` says whether it is among the hits. */
export function judge(answer: Answer, slot: number, isListed: boolean, reference: Reference, terms: Terms, to: Verdict): Verdict {
  const { faults, errors } = to;
  faults.length = 0;
  errors.distance = errors.normal = errors.points = NaN;
  to.leftEarly = false;
  const status = answer.status[slot];
  to.isUnanswered = status === Status.NotConverged || status === Status.CapacityExceeded;
  const truth = boundsOfTruth(reference);
  const t = terms.tolerance * reference.size;

  if (truth.high < terms.margin - t && !isListed) faults.push('missingHit');
  if (truth.low > terms.margin + t && isListed && !to.isUnanswered) faults.push('extraHit');
  const isDecided = status === Status.Separated || status === Status.Overlapping;
  if (!isDecided && !to.isUnanswered) faults.push('status');
  if (isDecided && (status === Status.Overlapping ? truth.low > t : truth.high < -t)) faults.push('status');
  if (terms.query !== 'intersects') judgeGeometry(answer as Geometry, slot, reference, terms, to);
  return to;
}

/** The answer of a query that gives more than statuses. */
type Geometry = Answer & Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>>;

/** Where the reference has no answer itself, its bounds are all that an answer can contradict. */
function boundsOfTruth(reference: Reference): { low: number; high: number } {
  const { distance, lower, upper } = reference.result;
  return hasAnswer(reference) ? { low: distance, high: distance } : { low: lower, high: upper };
}

function judgeGeometry(answer: Geometry, slot: number, reference: Reference, terms: Terms, to: Verdict): void {
  const { faults, errors } = to;
  const { size, result } = reference;
  const t = terms.tolerance * size;
  const status = answer.status[slot];
  const distance = answer.distance[slot];
  readVector(answer.normal, slot, normal);
  readVector(answer.pointA, slot, pointA);
  readVector(answer.pointB, slot, pointB);
  if (![distance, dot(normal, normal), dot(pointA, pointA), dot(pointB, pointB)].every(Number.isFinite)) {
    faults.push('notFinite');
    return;
  }

  const [lower, upper] = terms.query === 'contacts' ? [answer.lower?.[slot] ?? NaN, answer.upper?.[slot] ?? NaN] : [0, 0];
  const promisesZeros = status === Status.Overlapping ? terms.query === 'distances' : status >= Status.InvalidInput;
  if (promisesZeros) {
    const numbers = [distance, lower, upper];
    if (numbers.some((x) => x !== 0) || !isZero(normal) || !isZero(pointA) || !isZero(pointB)) faults.push('zeros');
    return;
  }
  if (terms.query === 'contacts' && !(lower <= result.upper && upper >= result.lower)) faults.push('bounds');

  const { low, high } = boundsOfTruth(reference);
  const rounding = terms.rounding * Math.abs(distance);
  const excess = Math.max(0, distance - high - rounding);
  const hasNoPoints = isZero(pointA) && isZero(pointB);
  to.leftEarly = status === Status.Separated && hasNoPoints && distance > terms.margin - t;
  if (to.leftEarly || status === Status.NotConverged) {
    if (excess > t) faults.push('lowerBound');
    if (status === Status.NotConverged) return;
    errors.distance = excess / size;
  } else {
    const error = Math.max(excess, low - distance - rounding);
    if (error > t) faults.push('distance');
    errors.distance = error / size;
  }
  if ((distance <= 0) !== (status === Status.Overlapping) && !faults.includes('status')) faults.push('status');

  const normalLength = length(normal);
  if (!(Math.abs(normalLength - 1) <= UNIT_TOLERANCE)) {
    faults.push('unit');
    return;
  }
  supportsAlong(reference.pair, scale(normal, 1 / normalLength, unit), along);
  const missing = distance - along.room - rounding - 2 * terms.rounding * along.lever;
  // No normal has more room than the distance, so there the normal's rounding explains nothing.
  const spare = along.room - distance - rounding;
  const supportError = Math.max(0, missing, to.leftEarly ? 0 : spare);
  errors.normal = supportError / size;
  if (supportError > t) faults.push('supports');
  if (!to.leftEarly) judgePoints(reference, distance, terms, to);
}

function judgePoints(reference: Reference, distance: number, terms: Terms, to: Verdict): void {
  const { pair, origin, size } = reference;
  const t = terms.tolerance * size;
  const worldA = DOUBLE_ROUNDING * length(pointA);
  const worldB = DOUBLE_ROUNDING * length(pointB);
  subtract(pointA, origin, pointA);
  subtract(pointB, origin, pointB);
  const roundingA = worldA + terms.rounding * length(pointA);
  const roundingB = worldB + terms.rounding * length(pointB);

  addScaled(subtract(pointB, pointA, leap), normal, -distance, leap);
  const leapError = Math.max(0, length(leap) - roundingA - roundingB - 2 * terms.rounding * Math.abs(distance));
  if (leapError > t) to.faults.push('points');

  standingOnA(pair, along, pointA, standing);
  const errorA = offSurface(roundingA, terms);
  standingOnB(pair, along, pointB, standing);
  const errorB = offSurface(roundingB, terms);
  if (Math.max(errorA, errorB) > t) to.faults.push('surface');
  to.errors.points = Math.max(leapError, errorA, errorB) / size;
}

/** A point outside of its shape, or below the supporting plane, is off the surface. `rounding`: of its coordinates. */
function offSurface(rounding: number, terms: Terms): number {
  const below = standing.below - 2 * terms.rounding * standing.lever;
  return Math.max(0, Math.max(below, standing.outside) - rounding);
}

function readVector(array: ArrayLike<number>, slot: number, to: Vec3): void {
  set(array[3 * slot], array[3 * slot + 1], array[3 * slot + 2], to);
}

function isZero({ x, y, z }: Vec3): boolean {
  return x === 0 && y === 0 && z === 0;
}
