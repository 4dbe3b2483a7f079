/** Mirror of shaders/planar/impact.wgsl: when two convex bodies of the plane in straight motion meet. */
import {
  CAST_TOUCH_ULPS,
  PLANAR_CAST_MET,
  PLANAR_CAST_MISSED,
  PLANAR_IMPACT_FAR,
  PLANAR_IMPACT_MET,
  PLANAR_IMPACT_NONE,
  PLANAR_IMPACT_OPEN,
  PLANAR_IMPACT_PAD,
  PLANAR_RUNG_SAT,
  PLANAR_RUNG_VELOCITY_EPA,
} from '../../generated/constants.ts';
import { approach, createApproach } from '../approach.ts';
import { set as set3, vec3 } from '../math.ts';
import { castCores, createCastResult } from './cast.ts';
import { type Touch, createTouch, facing } from './facing.ts';
import { EPSILON, type Vec2, addScaled, copy, scale, vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import { type Answer, createAnswer, signedDistance, simplexPoints } from './queries/signed-distance.ts';
import { acceptedGap } from './queries/pair-unit.ts';
import { crossCores } from './velocity-epa.ts';

export interface ImpactResult {
  /** One of the `PLANAR_IMPACT_` states. */
  state: number;
  iterations: number;
  /**
   * How far B has gone when they meet, from where the pair has it; negative: how far it has come since. Of an open
   * search a bound.
   */
  path: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** Where they touch, in A's frame; of an open search nothing. */
  point: Vec2;
  /**
   * Whether they overlap or touch as the motion begins, and then how far they are apart, and the normal that has it.
   */
  isInside: boolean;
  room: number;
  standing: Vec2;
}

export function createImpactResult(): ImpactResult {
  return {
    state: PLANAR_IMPACT_NONE,
    iterations: 0,
    path: 0,
    normal: vec2(),
    point: vec2(),
    isInside: false,
    room: 0,
    standing: vec2(),
  };
}

const stand = createAnswer();
const start = vec2();
const offset3 = vec3();
const along3 = vec3();
const circles = createApproach();
const found = createCastResult();
const cores = createAnswer();
const touching = createTouch();

/**
 * B moves along the unit vector `along`, in A's frame, up to `end`. Bodies meet where they are `margin` apart; `size`
 * is the sum of their bounding radii. `isStart`: the pair stands as the motion begins, and may overlap; otherwise the
 * bounding circles touch. `isMoving`: there is a straight motion; `isTurning`: whether they overlap by more than
 * `slack` is all that is asked for, and whether they touch if all the same hardly anything moves, `isResting`.
 */
export function impact(
  pair: PlanarPair,
  along: Vec2,
  end: number,
  margin: number,
  size: number,
  isStart: boolean,
  isMoving: boolean,
  isTurning: boolean,
  isResting: boolean,
  slack: number,
  rung: number,
  result: ImpactResult,
): ImpactResult {
  const reach = pair.radiusA + pair.radiusB + margin;
  const touch = CAST_TOUCH_ULPS * EPSILON;
  result.state = PLANAR_IMPACT_NONE;
  result.iterations = 0;
  result.path = 0;
  result.isInside = false;
  let isInside = false;
  let isStanding = false;
  if (isStart) {
    signedDistance(pair, margin + touch, PLANAR_RUNG_SAT, 0, stand);
    const room = stand.lower - margin;
    result.iterations = stand.iterations;
    isInside = room <= touch;
    result.isInside = isInside;
    result.room = room;
    copy(stand.normal, result.standing);
    isStanding = isInside && (!isMoving || room >= -slack);
    if (isStanding) {
      standTouch(stand, touching);
      copy(stand.normal, result.normal);
      touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + stand.lower, result.point);
      if (isTurning && room >= -slack && !isResting) return result;
    }
  }
  if (!isMoving || (isTurning && !isInside)) {
    if (isStanding) result.state = PLANAR_IMPACT_MET;
    return result;
  }
  copy(pair.translation, start);
  if (!isStanding) {
    approach(set3(start.x, start.y, 0, offset3), set3(along.x, along.y, 0, along3), size + margin, circles);
    const first = isInside ? circles.entry - PLANAR_IMPACT_PAD : isStart ? 0 : -PLANAR_IMPACT_PAD;
    const last = isInside ? PLANAR_IMPACT_FAR : end;
    let isOpen = true;
    if (rung === PLANAR_RUNG_VELOCITY_EPA) {
      crossCores(pair, along, reach, slack, found);
      result.iterations += found.iterations;
      isOpen = found.state !== PLANAR_CAST_MET && (isInside || found.state !== PLANAR_CAST_MISSED);
    }
    if (isOpen) {
      castCores(pair, along, first, last, reach, found);
      result.iterations += found.iterations;
      copy(start, pair.translation);
    }
    // What they have met before is met by then. If they are apart as the way starts it is past.
    result.path = isInside ? Math.min(found.path, 0) : Math.max(found.path, 0);
    copy(found.normal, result.normal);
    if (found.state === PLANAR_CAST_MISSED || found.path > last || found.path < first - 0.5 * touch) return result;
    if (found.state !== PLANAR_CAST_MET && found.distance - reach > acceptedGap()) {
      result.state = PLANAR_IMPACT_OPEN;
      return result;
    }
    addScaled(start, along, found.path, pair.translation);
    simplexPoints(pair, found.simplex, cores);
    const { normal, direction, distance, simplex } = found;
    setTouch(normal, direction, distance, cores, simplex.a.a, simplex.a.b, touching);
    touchPoint(pair, cores.onA, cores.onB, found.direction, reach, result.point);
  }
  const face = facing(pair, along, Math.max(end - result.path, 0), reach, slack, touching, !isStanding);
  copy(face.normal, result.normal);
  // What overlaps by more than the slack doesn't pass.
  result.state = face.isPassing && (isStanding || !isInside) ? PLANAR_IMPACT_NONE : PLANAR_IMPACT_MET;
  copy(start, pair.translation);
  return result;
}

/** What is known of bodies that stand. */
export function standTouch(known: Answer, to: Touch): Touch {
  return setTouch(known.normal, known.normal, 0, known, known.cornerA, known.cornerB, to);
}

function setTouch(
  normal: Vec2,
  direction: Vec2,
  distance: number,
  { onA, onB }: Answer,
  a: number,
  b: number,
  to: Touch,
): Touch {
  copy(normal, to.normal);
  copy(direction, to.direction);
  to.distance = distance;
  copy(onA, to.onA);
  copy(onB, to.onB);
  to.a = a;
  to.b = b;
  return to;
}

/**
 * The point on A's surface between two points of the cores that are about `reach` apart, towards each other along a
 * unit vector, or in one place. What rounding left between the surfaces is shared by both.
 */
export function touchPoint(
  { radiusA }: PlanarPair,
  onA: Vec2,
  onB: Vec2,
  towards: Vec2,
  reach: number,
  to: Vec2,
): Vec2 {
  addScaled(onA, onB, 1, to);
  return addScaled(scale(to, 0.5, to), towards, radiusA - 0.5 * reach, to);
}
