/**
 * Mirror of the records in shaders/shared/results.wgsl, of shaders/queries/contacts/result.wgsl and of
 * shaders/queries/distances/result.wgsl.
 */
import {
  BOUND_ULPS,
  GREATEST_DISTANCE,
  MIDDLE_BOUND_ULPS,
  STATUS_INVALID_INPUT,
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { feature } from '../feature.ts';
import { EPSILON, type Vec3, scale, set, transformBack, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { isCurvedPair } from '../support.ts';
import { surfacePoints } from './surface.ts';
import { toWorld } from './pair-unit.ts';

/**
 * A search whose bounds are this close is an answer: a tenth of the reference's tolerance. Unlike the other tolerances
 * it is no multiple of EPSILON, of which there are millions in the tolerance here.
 */
const ACCEPT = 1e-10;
const CURVED_ACCEPT = 1e-7;

export function acceptedGap(pair: Pair): number {
  return isCurvedPair(pair) ? CURVED_ACCEPT : ACCEPT;
}

/** The answer for one pair, in the caller's unit and world axes. */
export interface PairResult {
  /** A `Status`. */
  status: number;
  /** The signed distance is at most the margin. */
  hit: boolean;
  iterations: number;
  /** Whether there are witness points. */
  hasPoints: boolean;
  distance: number;
  /** Unit vector from A to B. */
  normal: Vec3;
  /** Points on the surfaces, relative to A's position. */
  pointA: Vec3;
  pointB: Vec3;
  /** lower <= true signed distance <= upper */
  lower: number;
  upper: number;
  featureA: number;
  featureB: number;
  /**
   * For `manifolds`: the number of points; x, y, z of each on A's surface, relative to A's position; their distances;
   * their features.
   */
  pointCount: number;
  positions: Float64Array;
  distances: Float64Array;
  features: Uint32Array;
  /** For `impacts`: as `Impacts.unclampedTime`. The point is `pointA`, relative to A's position at this time. */
  unclampedTime: number;
}

export function createPairResult(): PairResult {
  return {
    status: STATUS_SEPARATED,
    hit: false,
    iterations: 0,
    hasPoints: false,
    distance: 0,
    normal: vec3(),
    pointA: vec3(),
    pointB: vec3(),
    lower: 0,
    upper: 0,
    featureA: 0,
    featureB: 0,
    pointCount: 0,
    positions: new Float64Array(12),
    distances: new Float64Array(4),
    features: new Uint32Array(4),
    unclampedTime: 0,
  };
}

/** Everything zero except status, hit and iterations. `distance` and `margin` are in the pair's unit. */
export function decided(distance: number, margin: number, iterations: number, to: PairResult): PairResult {
  to.status = distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = distance <= margin;
  to.iterations = iterations;
  to.hasPoints = false;
  to.distance = to.lower = to.upper = to.featureA = to.featureB = 0;
  set(0, 0, 0, to.normal);
  set(0, 0, 0, to.pointA);
  set(0, 0, 0, to.pointB);
  return to;
}

/** A pair that can't be answered: everything zero except the status. */
export function invalidPair(to: PairResult): PairResult {
  decided(Infinity, 0, 0, to);
  to.status = STATUS_INVALID_INPUT;
  to.pointCount = to.unclampedTime = 0;
  return to;
}

/** What a search found about the cores, in A's frame and the pair's unit. */
export interface CoreBounds {
  /** Bounds of the cores' signed distance. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`. */
  normal: Vec3;
  iterations: number;
}

/** The same with witness points of the cores. */
export interface CoreDistance extends CoreBounds {
  onA: Vec3;
  onB: Vec3;
}

export function createCoreDistance(): CoreDistance {
  return { lower: 0, upper: 0, normal: vec3(), iterations: 0, onA: vec3(), onB: vec3() };
}

/** Sets the bounds of a distance, whose points are written apart. `normal` is not copied. */
export function setBounds(
  normal: Vec3,
  lower: number,
  upper: number,
  iterations: number,
  to: CoreDistance,
): CoreDistance {
  to.normal = normal;
  to.lower = lower;
  to.upper = upper;
  to.iterations = iterations;
  return to;
}

/** A pair whose search ended early: a lower bound of the gap and a separating axis, no points. */
export function farContact(
  pair: Pair,
  { normal, lower, upper, iterations }: CoreBounds,
  margin: number,
  to: PairResult,
): PairResult {
  const radius = pair.radiusA + pair.radiusB;
  decided(lower - radius, margin, iterations, to);
  toWorld(pair, normal, to.normal);
  to.distance = (lower - radius) * pair.unit;
  const slack = boundSlack(pair);
  to.lower = (lower - radius - slack) * pair.unit;
  to.upper = Math.min(upper - radius + slack, GREATEST_DISTANCE) * pair.unit;
  return to;
}

/** The answer of a search. If its bounds are farther apart than `acceptedGap`, the status is `NotConverged`. */
export function convergedDistance(
  pair: Pair,
  { normal, lower, upper, iterations, onA, onB }: CoreDistance,
  margin: number,
  to: PairResult,
): PairResult {
  const { unit } = pair;
  const radius = pair.radiusA + pair.radiusB;
  const distance = lower - radius;
  // Not `>`: bounds that are NaN leave the pair open too.
  const isOpen = !(upper - lower <= acceptedGap(pair));
  to.status = isOpen ? STATUS_NOT_CONVERGED : distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = distance <= margin;
  to.iterations = iterations;
  to.hasPoints = true;
  to.distance = distance * unit;
  const slack = boundSlack(pair);
  to.lower = (distance - slack) * unit;
  to.upper = (upper - radius + slack) * unit;
  to.featureA = to.featureB = 0;
  toWorld(pair, normal, to.normal);
  surfacePoints(pair, normal, onA, onB, to);
  return to;
}

const backward = vec3();

/** The same with features. */
export function convergedContact(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  cores: CoreDistance,
  margin: number,
  to: PairResult,
): PairResult {
  const { normal } = cores;
  convergedDistance(pair, cores, margin, to);
  to.featureA = feature(shapeA, pair.coreA, normal);
  to.featureB = feature(shapeB, pair.coreB, transformBack(pair.rotation, scale(normal, -1, backward), backward));
  return to;
}

/** A refinement is an answer however far apart its bounds are, unless they are no numbers. */
export function refinedContact(to: PairResult): PairResult {
  if (!Number.isNaN(to.upper - to.lower)) to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  return to;
}

/** The amount by which bounds are widened: the rounding of support points, of the frame and of rotated middles. */
export function boundSlack({ middleA: a, middleB: b }: Pair): number {
  const ofMiddles = Math.abs(a.x) + Math.abs(a.y) + Math.abs(a.z) + Math.abs(b.x) + Math.abs(b.y) + Math.abs(b.z);
  return (BOUND_ULPS + MIDDLE_BOUND_ULPS * ofMiddles) * EPSILON;
}
