/** Mirror of shaders/impact.wgsl: when two convex bodies that translate meet. */
import {
  CAST_INSIDE,
  CAST_MISSED,
  CAST_STALLED,
  IMPACT_FAR,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  IMPACT_PAD,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { approach, createApproach } from './approach.ts';
import { castCores, createCastResult, touchOf } from './cast.ts';
import { impactNormal, isPassing } from './impact-normal.ts';
import { type Vec3, addScaled, copy, scale, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { acceptedGap } from './queries/result.ts';
import { simplexWitness } from './queries/witness.ts';

export interface ImpactResult {
  /** One of the `IMPACT_` states. */
  state: number;
  iterations: number;
  /** The bodies are within the target distance at the start. */
  isInside: boolean;
  /**
   * The distance that B has travelled from its position in the pair when they meet. Negative if they met before. For an
   * open search a bound.
   */
  travelled: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec3;
  /** Where they touch, in A's frame. Not set by an open search. */
  point: Vec3;
}

export function createImpactResult(): ImpactResult {
  return { state: IMPACT_NONE, iterations: 0, isInside: false, travelled: 0, normal: vec3(), point: vec3() };
}

const start = vec3();
const backward = vec3();
const spheres = createApproach();
const found = createCastResult();
const onA = vec3();
const onB = vec3();

/**
 * B moves along the unit vector `direction`, in A's frame, up to `to`. Bodies meet where they are `margin` apart;
 * `size` is the sum of their bounding radii. `isStart`: the pair is at the start of the motion, and may overlap;
 * otherwise the bounding spheres touch. `isMoving`: B moves; otherwise `direction` is the direction against which an
 * overlap is left.
 */
export function impact(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  direction: Vec3,
  to: number,
  margin: number,
  size: number,
  isStart: boolean,
  isMoving: boolean,
  touchTolerance: number,
  result: ImpactResult,
): ImpactResult {
  const targetDistance = pair.radiusA + pair.radiusB + margin;
  copy(pair.translation, start);
  result.iterations = 0;
  search(pair, shapeA, shapeB, direction, 0, to, to, targetDistance, touchTolerance, isMoving, result);
  result.isInside = found.state === CAST_INSIDE;
  if (result.isInside) {
    copy(start, pair.translation);
    approach(start, direction, size + margin, spheres);
    scale(direction, -1, backward);
    let isLeaving = false;
    if (isStart && isMoving) {
      const closing = search(
        pair,
        shapeA,
        shapeB,
        backward,
        -spheres.exit - IMPACT_PAD,
        IMPACT_FAR,
        to,
        targetDistance,
        touchTolerance,
        isMoving,
        result,
      );
      // The overlap along the normal along which they part, to within what counts as touching.
      isLeaving =
        result.state === IMPACT_NONE ||
        (result.state === IMPACT_MET && -result.travelled * closing <= touchTolerance + 2 * touchOf(pair));
      copy(start, pair.translation);
    }
    if (isLeaving) {
      result.state = IMPACT_NONE;
    } else {
      search(
        pair,
        shapeA,
        shapeB,
        direction,
        spheres.entry - IMPACT_PAD,
        IMPACT_FAR,
        to,
        targetDistance,
        touchTolerance,
        isMoving,
        result,
      );
      // Bodies that overlap have met before, and bodies that touch meet at once.
      if (result.state === IMPACT_OPEN || result.travelled <= 2 * touchOf(pair))
        result.travelled = Math.min(result.travelled, 0);
      // They nearly touch, and slide past each other.
      else if (result.travelled > to) result.state = IMPACT_NONE;
    }
  }
  copy(start, pair.translation);
  return result;
}

/** Casts B, whose translation is up to `end`, and gives the rate at which the bodies close in where they meet. */
function search(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  direction: Vec3,
  from: number,
  to: number,
  end: number,
  targetDistance: number,
  touchTolerance: number,
  isMoving: boolean,
  result: ImpactResult,
): number {
  castCores(pair, direction, from, to, targetDistance, found);
  result.iterations += found.iterations;
  result.travelled = found.travelled;
  copy(found.normal, result.normal);
  if (found.state === CAST_MISSED || found.state === CAST_INSIDE) {
    result.state = IMPACT_NONE;
    return 0;
  }
  if (found.state === CAST_STALLED && found.distance - targetDistance > acceptedGap(pair)) {
    result.state = IMPACT_OPEN;
    return 0;
  }
  simplexWitness(pair, found.simplex, onA, onB);
  const face = impactNormal(pair, shapeA, shapeB, direction, targetDistance, touchTolerance, found, onA, onB);
  copy(found.normal, result.normal);
  touchPoint(
    pair,
    onA,
    onB,
    scale(found.nearest, 1 / Math.max(found.distance, 1e-300), found.nearest),
    targetDistance,
    result.point,
  );
  result.state = isMoving && isPassing(face, found.travelled, end, touchTolerance) ? IMPACT_NONE : IMPACT_MET;
  return face.closing;
}

/**
 * The point on A's surface between two points of the cores, about `targetDistance` apart. `towards` is the unit vector
 * from one to the other, or zero if they coincide. The gap that rounding left is shared by both surfaces.
 */
export function touchPoint(
  { radiusA }: Pair,
  corePointA: Vec3,
  corePointB: Vec3,
  towards: Vec3,
  targetDistance: number,
  to: Vec3,
): Vec3 {
  addScaled(corePointA, corePointB, 1, to);
  return addScaled(scale(to, 0.5, to), towards, radiusA - 0.5 * targetDistance, to);
}
