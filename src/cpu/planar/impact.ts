/** Mirror of shaders/planar/impact.wgsl: when two convex bodies in 2-D that translate meet. */
import {
  CAST_TOUCH_ULPS,
  PLANAR_CAST_MET,
  PLANAR_CAST_MISSED,
  PLANAR_IMPACT_FAR,
  PLANAR_IMPACT_MET,
  PLANAR_IMPACT_NONE,
  PLANAR_IMPACT_OPEN,
  PLANAR_IMPACT_PAD,
  PLANAR_STAGE_SAT,
  PLANAR_STAGE_VELOCITY_EPA,
} from '../../generated/constants.ts';
import { approach, createApproach } from '../approach.ts';
import { set as set3, vec3 } from '../math.ts';
import { castCores, createCastResult } from './cast.ts';
import { type Touch, createTouch, impactNormal } from './impact-normal.ts';
import { EPSILON, type Vec2, addScaled, copy, scale, vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import { type Answer, createAnswer, chordPoints, signedDistance } from './queries/signed-distance.ts';
import { acceptedGap } from './queries/pair-unit.ts';
import { crossCores } from './velocity-epa.ts';

export interface ImpactResult {
  /** One of the `PLANAR_IMPACT_` states. */
  state: number;
  iterations: number;
  /**
   * The distance that B has travelled from its position in the pair when they meet. Negative if they met before. For an
   * open search a bound.
   */
  travelled: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** Where they touch, in A's frame. Not set by an open search. */
  point: Vec2;
  /** Whether they overlap or touch at the start, and then their separation and its normal. */
  isInside: boolean;
  separation: number;
  standing: Vec2;
}

export function createImpactResult(): ImpactResult {
  return {
    state: PLANAR_IMPACT_NONE,
    iterations: 0,
    travelled: 0,
    normal: vec2(),
    point: vec2(),
    isInside: false,
    separation: 0,
    standing: vec2(),
  };
}

const stand = createAnswer();
const start = vec2();
const offset3 = vec3();
const direction3 = vec3();
const circles = createApproach();
const found = createCastResult();
const cores = createAnswer();
const touching = createTouch();

/** B's translation relative to A, in A's frame and the pair's unit. */
export interface Translation {
  /** Unit vector. */
  direction: Vec2;
  isMoving: boolean;
  /** How far B moves. */
  end: number;
  /** The pair is at the start of the motion, and may overlap; otherwise the bounding circles touch. */
  isStart: boolean;
  /** Only overlaps by more than the tolerance are looked for, and touches if hardly anything moves, `isResting`. */
  isRotating: boolean;
  isResting: boolean;
  /** The distance at which bodies meet, and the sum of the bounding radii. */
  margin: number;
  size: number;
  /** Overlap up to which bodies only touch. */
  touchTolerance: number;
}

export function createTranslation(): Translation {
  return {
    direction: vec2(),
    isMoving: true,
    end: 0,
    isStart: true,
    isRotating: false,
    isResting: false,
    margin: 0,
    size: 0,
    touchTolerance: 0,
  };
}

/** The impact of bodies that translate. `stage` is one of `PLANAR_STAGE_`. */
export function impact(pair: PlanarPair, translation: Translation, stage: number, result: ImpactResult): ImpactResult {
  const { direction, isMoving, end, isStart, isRotating, margin, touchTolerance } = translation;
  const targetDistance = pair.radiusA + pair.radiusB + margin;
  const touch = CAST_TOUCH_ULPS * EPSILON;
  result.state = PLANAR_IMPACT_NONE;
  result.iterations = 0;
  result.travelled = 0;
  result.isInside = false;
  let isInside = false;
  let isStanding = false;
  if (isStart) {
    signedDistance(pair, margin + touch, PLANAR_STAGE_SAT, 0, stand);
    const separation = stand.lower - margin;
    result.iterations = stand.iterations;
    isInside = separation <= touch;
    result.isInside = isInside;
    result.separation = separation;
    copy(stand.normal, result.standing);
    isStanding = isInside && (!isMoving || separation >= -touchTolerance);
    if (isStanding) {
      standTouch(stand, touching);
      copy(stand.normal, result.normal);
      touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + stand.lower, result.point);
      if (isRotating && separation >= -touchTolerance && !translation.isResting) return result;
    }
  }
  if (!isMoving || (isRotating && !isInside)) {
    if (isStanding) result.state = PLANAR_IMPACT_MET;
    return result;
  }
  copy(pair.translation, start);
  if (!isStanding) {
    approach(
      set3(start.x, start.y, 0, offset3),
      set3(direction.x, direction.y, 0, direction3),
      translation.size + margin,
      circles,
    );
    const first = isInside ? circles.entry - PLANAR_IMPACT_PAD : isStart ? 0 : -PLANAR_IMPACT_PAD;
    const last = isInside ? PLANAR_IMPACT_FAR : end;
    let isOpen = true;
    if (stage === PLANAR_STAGE_VELOCITY_EPA) {
      crossCores(pair, direction, targetDistance, touchTolerance, found);
      result.iterations += found.iterations;
      isOpen = found.state !== PLANAR_CAST_MET && (isInside || found.state !== PLANAR_CAST_MISSED);
    }
    if (isOpen) {
      castCores(pair, direction, first, last, targetDistance, found);
      result.iterations += found.iterations;
      copy(start, pair.translation);
    }
    // Bodies that overlap at the start have met before. Bodies that are apart meet after it.
    result.travelled = isInside ? Math.min(found.travelled, 0) : Math.max(found.travelled, 0);
    copy(found.normal, result.normal);
    if (found.state === PLANAR_CAST_MISSED || found.travelled > last || found.travelled < first - 0.5 * touch)
      return result;
    if (found.state !== PLANAR_CAST_MET && found.distance - targetDistance > acceptedGap()) {
      result.state = PLANAR_IMPACT_OPEN;
      return result;
    }
    addScaled(start, direction, found.travelled, pair.translation);
    chordPoints(pair, found.simplex, cores);
    copy(found.normal, cores.normal);
    cores.cornerA = found.simplex.a.a;
    cores.cornerB = found.simplex.a.b;
    setTouch(cores, found.direction, found.distance, touching);
    touchPoint(pair, cores.onA, cores.onB, found.direction, targetDistance, result.point);
  }
  touching.wereApart = !isStanding;
  const rest = Math.max(end - result.travelled, 0);
  const face = impactNormal(pair, direction, rest, targetDistance, touchTolerance, touching);
  copy(face.normal, result.normal);
  // Bodies that overlap by more than the tolerance don't pass.
  result.state = face.isPassing && (isStanding || !isInside) ? PLANAR_IMPACT_NONE : PLANAR_IMPACT_MET;
  copy(start, pair.translation);
  return result;
}

/** Writes the touch of bodies at the start. */
export function standTouch(answer: Answer, to: Touch): Touch {
  return setTouch(answer, answer.normal, 0, to);
}

function setTouch({ normal, onA, onB, cornerA, cornerB }: Answer, direction: Vec2, distance: number, to: Touch): Touch {
  copy(normal, to.normal);
  copy(direction, to.direction);
  to.distance = distance;
  copy(onA, to.onA);
  copy(onB, to.onB);
  to.a = cornerA;
  to.b = cornerB;
  return to;
}

/**
 * The point on A's surface between two points of the cores, about `targetDistance` apart along the unit vector
 * `towards`. The gap that rounding left is shared by both surfaces.
 */
export function touchPoint(
  { radiusA }: PlanarPair,
  onA: Vec2,
  onB: Vec2,
  towards: Vec2,
  targetDistance: number,
  to: Vec2,
): Vec2 {
  addScaled(onA, onB, 1, to);
  return addScaled(scale(to, 0.5, to), towards, radiusA - 0.5 * targetDistance, to);
}
