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
import { type Translation, createTranslation, impactNormal, isPassing } from './impact-normal.ts';
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
const spheres = createApproach();
const found = createCastResult();
const cores = { onA: vec3(), onB: vec3() };
const reversed = createTranslation();

/** The impact of bodies that translate. */
export function impact(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  translation: Translation,
  result: ImpactResult,
): ImpactResult {
  const { direction, end, targetDistance, touchTolerance } = translation;
  copy(pair.translation, start);
  result.iterations = 0;
  castCores(pair, direction, 0, end, targetDistance, found);
  takeCast(pair, shapeA, shapeB, translation, result);
  result.isInside = found.state === CAST_INSIDE;
  if (result.isInside) {
    copy(start, pair.translation);
    approach(start, direction, translation.reach, spheres);
    let isLeaving = false;
    if (translation.isStart && translation.isMoving) {
      reverse(translation, reversed);
      castCores(pair, reversed.direction, -spheres.exit - IMPACT_PAD, IMPACT_FAR, targetDistance, found);
      const closing = takeCast(pair, shapeA, shapeB, reversed, result);
      // The overlap along the normal along which they part, to within what counts as touching.
      isLeaving =
        result.state === IMPACT_NONE ||
        (result.state === IMPACT_MET && -result.travelled * closing <= touchTolerance + 2 * touchOf(pair));
      copy(start, pair.translation);
    }
    if (isLeaving) {
      result.state = IMPACT_NONE;
    } else {
      castCores(pair, direction, spheres.entry - IMPACT_PAD, IMPACT_FAR, targetDistance, found);
      takeCast(pair, shapeA, shapeB, translation, result);
      // Bodies that overlap have met before, and bodies that touch meet at once.
      if (result.state === IMPACT_OPEN || result.travelled <= 2 * touchOf(pair))
        result.travelled = Math.min(result.travelled, 0);
      // They nearly touch, and slide past each other.
      else if (result.travelled > end) result.state = IMPACT_NONE;
    }
  }
  copy(start, pair.translation);
  return result;
}

function reverse(translation: Translation, to: Translation): void {
  scale(translation.direction, -1, to.direction);
  to.isMoving = translation.isMoving;
  to.end = translation.end;
  to.targetDistance = translation.targetDistance;
  to.touchTolerance = translation.touchTolerance;
}

/** Takes the result of a cast, and gives the rate at which the bodies close in where they meet. */
function takeCast(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  translation: Translation,
  result: ImpactResult,
): number {
  const { isMoving, end, targetDistance, touchTolerance } = translation;
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
  simplexWitness(pair, found.simplex, cores.onA, cores.onB);
  const face = impactNormal(pair, shapeA, shapeB, translation, found, cores);
  copy(found.normal, result.normal);
  touchPoint(
    pair,
    cores.onA,
    cores.onB,
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
