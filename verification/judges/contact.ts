/**
 * Judges an engine's answer for one pair by the documented guarantees. Distance, status, hit, normal, witness points,
 * features and bounds are compared with the reference for the pair, within t = k · max(s, |B - A|), where k is that of
 * the pair's shapes.
 *
 * Results are f32. On WebGPU the tolerance includes that rounding. For the engine `cpu` it does not: each reported
 * number may be off by a further share of 2^-24. Such a rounded normal moves the values of its supports by up to 2^-23
 * times their lever (once for the rounding, once for the normalisation). On every engine points may be off by the
 * rounding of their coordinates, to which A's position was added: 2^-24 of them in a `Float32Array`, 2^-53 in a
 * `Float64Array`. Errors are measured after these roundings are subtracted, so that they can be compared with the
 * tolerance.
 *
 * Normal and points are judged by supports, so that any of several equally good answers is accepted.
 */

import { addScaled, dot, length, scale, set, subtract, vec3 } from '../../src/cpu/math.ts';
import type { Vec3 } from '../../src/cpu/math.ts';
import type { CommandQuery } from '../engines/engine.ts';
import { isCurved } from '../../src/shapes/kinds.ts';
import {
  F32_ROUNDING,
  F64_ROUNDING,
  TOLERANCE,
  UNIT_TOLERANCE,
  toleranceOfPair,
  type Precision,
} from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import type { Algorithm } from '../../src/api/types.ts';
import type { Answer } from '../engines/engine.ts';
import type { Verdict } from './faults.ts';
import { hasFeature } from './features.ts';
import type { KnownDistance, Reference } from './reference.ts';
import { createAlong, createStanding, standingOnA, standingOnB, supportsAlong } from './support-points.ts';

/** The question, and the standards for its answers. */
export interface Terms {
  query: CommandQuery;
  margin: number;
  /** Default: the package's own choice. */
  algorithm?: Algorithm;
  /** Selects the tolerances. k also depends on the pair's shapes and on whether they overlap. */
  precision: Precision;
  /** The least of these k: that of polytopes, spheres and capsules. */
  tolerance: number;
  /** The share of itself by which a reported f32 number may be off in addition to the tolerance. */
  rounding: number;
}

/** Tolerance shares for the kernels, which work in f32, and for the engine that is itself the reference. */
const SHARES = {
  webgpu: { precision: 'kernels', tolerance: TOLERANCE.kernels, rounding: 0 },
  cpu: { precision: 'reference', tolerance: TOLERANCE.reference, rounding: F32_ROUNDING },
} as const;

export function termsOf(backend: 'webgpu' | 'cpu', query: CommandQuery, margin: number, algorithm?: Algorithm): Terms {
  return { query, margin, algorithm, ...SHARES[backend] };
}

/** t of a pair. If the pair may overlap, it is the t of overlaps. */
function toleratedLength({ precision }: Terms, { shapeA, shapeB, hasCurvedParts, known, size }: Reference): number {
  const hasCurved = hasCurvedParts || isCurved(shapeA.kind) || isCurved(shapeB.kind);
  return toleranceOfPair(precision, hasCurved, known.low <= 0) * size;
}

const normal = vec3();
const unit = vec3();
const pointA = vec3();
const pointB = vec3();
const along = createAlong();
const standing = createStanding();
const leap = vec3();

/** `slot` is the pair's index in the answer for all pairs. `isListed` says whether the pair is among the hits. */
export function judge(
  answer: Answer,
  slot: number,
  isListed: boolean,
  reference: Reference,
  terms: Terms,
  to: Verdict,
): Verdict {
  const { faults, errors } = to;
  faults.length = 0;
  errors.distance = errors.normal = errors.points = to.offBy = NaN;
  to.leftEarly = false;
  const status = answer.status[slot];
  to.isUnanswered = status === Status.NotConverged || status === Status.CapacityExceeded;
  const { low, high } = reference.known;
  const t = toleratedLength(terms, reference);

  if (!(high >= terms.margin - t) && !isListed) faults.push('missingHit');
  if (!(low <= terms.margin + t) && isListed && !to.isUnanswered) faults.push('extraHit');
  const isDecided = status === Status.Separated || status === Status.Overlapping;
  if (!isDecided && !to.isUnanswered) faults.push('status');
  if (isDecided && !(status === Status.Overlapping ? low <= t : high >= -t)) faults.push('status');
  if (terms.query !== 'intersects') judgeGeometry(answer as Geometry, slot, reference, terms, to);
  return to;
}

/** The answer of a query that returns more than statuses. */
type Geometry = Answer & Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>>;

function judgeGeometry(answer: Geometry, slot: number, reference: Reference, terms: Terms, to: Verdict): void {
  const { faults, errors } = to;
  const { size, known } = reference;
  const t = toleratedLength(terms, reference);
  const status = answer.status[slot];
  const distance = answer.distance[slot];
  readVector(answer.normal, slot, normal);
  readVector(answer.pointA, slot, pointA);
  readVector(answer.pointB, slot, pointB);
  if (![distance, dot(normal, normal), dot(pointA, pointA), dot(pointB, pointB)].every(Number.isFinite)) {
    faults.push('notFinite');
    if (!Number.isFinite(distance)) to.offBy = Infinity;
    return;
  }

  const isContact = terms.query === 'contacts';
  const [lower, upper] = isContact ? [answer.lower?.[slot] ?? NaN, answer.upper?.[slot] ?? NaN] : [0, 0];
  const [featureA, featureB] = isContact ? [answer.featureA?.[slot] ?? NaN, answer.featureB?.[slot] ?? NaN] : [0, 0];
  const promisesZeros = status === Status.Overlapping ? terms.query === 'distances' : status >= Status.InvalidInput;
  if (promisesZeros) {
    const numbers = [distance, lower, upper, featureA, featureB];
    if (numbers.some((x) => x !== 0) || !isZero(normal) || !isZero(pointA) || !isZero(pointB)) faults.push('zeros');
    return;
  }

  if (isContact && reference.isOfMesh && status === Status.Overlapping) {
    judgeSurfaceContact(answer, slot, reference, terms, to);
    return;
  }

  // If `distances` does not converge on a pair, its lower bound is still at least 0.
  const high = isContact ? known.high : Math.max(known.high, 0);
  const rounding = terms.rounding * Math.abs(distance);
  const excess = Math.max(0, distance - high - rounding);
  const hasNoPoints = isZero(pointA) && isZero(pointB);
  to.leftEarly = status === Status.Separated && hasNoPoints && distance > terms.margin - t;
  if (isContact) {
    if (!holdBounds(lower, upper, distance, known, t, to)) faults.push('bounds');
    if (!haveFeatures(featureA, featureB, reference, to)) faults.push('features');
  }
  if (to.leftEarly || status === Status.NotConverged) {
    if (!(excess <= t)) faults.push('lowerBound');
    if (status === Status.NotConverged) return;
    errors.distance = excess / size;
  } else {
    const error = Math.max(excess, known.low - distance - rounding);
    to.offBy = Math.max(0, distance - high, known.low - distance) / size;
    if (!(error <= t)) faults.push('distance');
    errors.distance = error / size;
  }
  if (distance <= 0 !== (status === Status.Overlapping) && !faults.includes('status')) faults.push('status');

  const normalLength = length(normal);
  if (!(Math.abs(normalLength - 1) <= UNIT_TOLERANCE)) {
    faults.push('unit');
    return;
  }
  // The bound of bodies of parts is that of their nearest boxes. There may be no axis along which all parts are apart.
  if (to.leftEarly && reference.isOfParts) return;
  supportsAlong(reference.pair, scale(normal, 1 / normalLength, unit), along);
  const missing = distance - along.room - rounding - 2 * terms.rounding * along.lever;
  // No normal separates the shapes by more than the distance, so a larger room can't be due to the normal's rounding.
  const spare = along.room - distance - rounding;
  const supportError = Math.max(0, missing, to.leftEarly ? 0 : spare);
  errors.normal = supportError / size;
  if (!(supportError <= t)) faults.push('supports');
  if (to.leftEarly) return;
  judgePoints(reference, distance, coordinateRounding(answer), terms, to);
}

/**
 * Checks an overlap with a mesh. Its normal is one of the mesh's surface, and its depth that along the normal, which the
 * least translation of two parts does not tell. So only the contact itself is judged: sign, normal and the step from one
 * point to the other.
 */
function judgeSurfaceContact(answer: Geometry, slot: number, reference: Reference, terms: Terms, to: Verdict): void {
  const distance = answer.distance[slot];
  if (distance > 0) to.faults.push('status');
  if (!(Math.abs(length(normal) - 1) <= UNIT_TOLERANCE)) to.faults.push('unit');
  else to.errors.points = judgeStep(reference, distance, coordinateRounding(answer), terms, to) / reference.size;
}

/**
 * Checks that bounds contain the reference distance. In an answer they must be finite and contain the reported
 * distance. If that distance is itself a lower bound, the reported lower bound may exceed it.
 */
function holdBounds(
  lower: number,
  upper: number,
  distance: number,
  known: KnownDistance,
  t: number,
  { isUnanswered, leftEarly }: Verdict,
): boolean {
  if (!(lower <= known.upper && upper >= known.lower)) return false;
  if (isUnanswered) return true;
  return (
    Number.isFinite(lower) && Number.isFinite(upper) && distance <= upper + t && (leftEarly || lower - t <= distance)
  );
}

/**
 * A contact has a feature of each shape. A pair that ended early has none. A pair that did not converge may have them.
 */
function haveFeatures(
  featureA: number,
  featureB: number,
  { shapeA, shapeB }: Reference,
  { isUnanswered, leftEarly }: Verdict,
): boolean {
  if (featureA === 0 && featureB === 0 && (leftEarly || isUnanswered)) return true;
  return !leftEarly && hasFeature(shapeA, featureA) && hasFeature(shapeB, featureB);
}

/** The share of itself by which rounding may change a world coordinate. */
function coordinateRounding({ pointA: points }: Geometry): number {
  return points instanceof Float64Array ? F64_ROUNDING : F32_ROUNDING;
}

/** Roundings of `pointA` and `pointB`, whose coordinates may be off by the share `coordinate`. */
const roundings = { a: 0, b: 0 };

/**
 * Makes both points relative to A's position, and checks the step from one to the other against normal and distance.
 * Returns its error.
 */
function judgeStep(reference: Reference, distance: number, coordinate: number, terms: Terms, to: Verdict): number {
  const worldA = coordinate * length(pointA);
  const worldB = coordinate * length(pointB);
  subtract(pointA, reference.origin, pointA);
  subtract(pointB, reference.origin, pointB);
  roundings.a = worldA + terms.rounding * length(pointA);
  roundings.b = worldB + terms.rounding * length(pointB);
  addScaled(subtract(pointB, pointA, leap), normal, -distance, leap);
  const spare = roundings.a + roundings.b + 2 * terms.rounding * Math.abs(distance);
  const error = Math.max(0, length(leap) - spare);
  if (!(error <= toleratedLength(terms, reference))) to.faults.push('points');
  return error;
}

function judgePoints(reference: Reference, distance: number, coordinate: number, terms: Terms, to: Verdict): void {
  const { pair, size } = reference;
  const t = toleratedLength(terms, reference);
  const leapError = judgeStep(reference, distance, coordinate, terms, to);
  standingOnA(pair, along, pointA, standing);
  const errorA = offSurface(roundings.a, terms);
  standingOnB(pair, along, pointB, standing);
  const errorB = offSurface(roundings.b, terms);
  if (!(Math.max(errorA, errorB) <= t)) to.faults.push('surface');
  to.errors.points = Math.max(leapError, errorA, errorB) / size;
}

/**
 * How far a point is off the surface: outside its shape, or below the supporting plane. `rounding` is that of its
 * coordinates.
 */
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
