/** Mirror of shaders/planar/advance.wgsl: when two turning bodies of the plane meet, by conservative advancement. */
import {
  ADVANCE_MAX_HALVINGS, ADVANCE_MAX_ITERATIONS, ADVANCE_TANGENTS, FEATURE_EDGE, PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, PLANAR_IMPACT_OPEN, PLANAR_RADIUS_ULPS, PLANAR_RUNG_SAT,
  PLANAR_UNBOUNDED,
} from '../../generated/constants.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { createTouch, facing } from './facing.ts';
import { feature } from './feature.ts';
import { type ImpactResult, standTouch, touchPoint } from './impact.ts';
import { EPSILON, type Vec2, addScaled, copy, dot, leftOf, length, rotate, rotateBack, scale, set, subtract, vec2 } from './math.ts';
import { type PlanarCore, type PlanarPair, type PlanarPose, toWorld } from './pair.ts';
import { createAnswer, signedDistance } from './queries/answer.ts';
import { type PlanarMotion, pairAt } from './queries/motion.ts';
import { acceptedGap } from './queries/units.ts';
import { corner, createCorner, support } from './support.ts';

const stand = createAnswer();
const normal = vec2();
const touchNormal = vec2();

/** From `begin` on, seconds after the motion began. Gives the time of impact, or a bound, and leaves the pair as it is then. */
export function advance(pair: PlanarPair, shapeA: PlanarShapeData, poseA: PlanarPose, shapeB: PlanarShapeData, poseB: PlanarPose, motion: PlanarMotion, begin: number, duration: number, result: ImpactResult): number {
  const { slack } = motion;
  const enlarged = 1 + PLANAR_RADIUS_ULPS * EPSILON;
  const reachA = (shapeA.boundingRadius * enlarged - shapeA.radius) * poseA.scale;
  const reachB = (shapeB.boundingRadius * enlarged - shapeB.radius) * poseB.scale;
  const accepted = 0.5 * acceptedGap();
  result.state = PLANAR_IMPACT_OPEN;
  let time = begin;
  // The last time at which they touched, if they have since they were apart, and along which normal; and the last at which they were apart.
  let isTouching = false;
  let touchTime = begin;
  let apartTime = begin;
  let halvings = 0;
  // What is left is to see the bodies as they touch.
  let isMet = false;
  for (let i = 0; i < ADVANCE_MAX_ITERATIONS; i++) {
    pairAt(shapeA, poseA, shapeB, poseB, motion, time, pair);
    const margin = motion.margin / pair.unit;
    signedDistance(pair, PLANAR_UNBOUNDED, PLANAR_RUNG_SAT, 0, stand);
    const room = stand.lower - margin;
    toWorld(pair, stand.normal, normal);
    result.iterations += stand.iterations;
    copy(stand.normal, result.normal);
    if (isMet) {
      result.state = PLANAR_IMPACT_MET;
      touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin, result.point);
      turnedFacing(pair, motion, margin, result.point, result.normal);
      return time;
    }
    // Of cores without an inside that come through each other the normal changes sides.
    const isThrough = isTouching && room <= 3 * slack && dot(normal, touchNormal) < 0;
    if (room < -slack || isThrough) {
      const halfTime = 0.5 * (apartTime + time);
      isMet = true;
      if (isTouching) {
        time = touchTime;
      } else if (halvings < ADVANCE_MAX_HALVINGS && halfTime > apartTime && halfTime < time) {
        // A step that rounding made too long.
        halvings++;
        time = halfTime;
        isMet = false;
      } else {
        time = apartTime;
      }
      continue;
    }
    isTouching = room <= accepted;
    if (isTouching) {
      touchTime = time;
      copy(normal, touchNormal);
    } else {
      apartTime = time;
    }
    const most = duration - time;
    const reach = pair.radiusA + pair.radiusB + margin - (isTouching ? 2 * slack : 0);
    const step = longestStep(pair, motion, reachA, reachB, reach, most);
    if (step >= most) {
      result.state = PLANAR_IMPACT_NONE;
      return time;
    }
    // Numbers too large for a bound.
    if (!(step > 0)) return time;
    // As near as time can be told.
    isMet = time + step === time;
    time += step;
  }
  return time;
}

/** The longer of the steps that are safe along the normal as it stands, and as it turns with what gave it. */
function longestStep(pair: PlanarPair, motion: PlanarMotion, reachA: number, reachB: number, reach: number, most: number): number {
  const longest = safeStep(pair, motion, 0, reachA, reachB, reach, most);
  const turn = normalSpin(pair, motion);
  return longest < most && turn !== 0 ? Math.max(longest, safeStep(pair, motion, turn, reachA, reachB, reach, most)) : longest;
}

const direction = vec2();
const speed = vec2();
const lever = vec2();

/** How the normal of the nearest points turns: with the edge that one of them is on, otherwise with the line through both. */
function normalSpin(pair: PlanarPair, motion: PlanarMotion): number {
  const { normal: unit, onA: pointA, onB: pointB } = stand;
  if (feature(pair.coreA, unit, stand.cornerA) >= FEATURE_EDGE) return motion.spinA;
  if (feature(pair.coreB, rotateBack(pair.rotation, scale(unit, -1, direction), direction), stand.cornerB) >= FEATURE_EDGE) return motion.spinB;
  const between = dot(subtract(pointB, pointA, lever), unit);
  if (between <= 0) return 0;
  approachAt(pair, motion, pointA, pointB, speed);
  return dot(leftOf(unit, direction), speed) / between;
}

/** Writes B's velocity at a point of it, minus A's at a point of that, in A's frame and the pair's unit. */
function approachAt({ rotationA, translation, unit }: PlanarPair, { velocity, spinA, spinB }: PlanarMotion, pointA: Vec2, pointB: Vec2, to: Vec2): Vec2 {
  scale(rotateBack(rotationA, velocity, to), 1 / unit, to);
  const x = pointB.x - translation.x;
  const y = pointB.y - translation.y;
  return set(to.x - y * spinB + pointA.y * spinA, to.y + x * spinB - pointA.x * spinA, to);
}

const swing = vec2();
const swingA = vec2();
const swingB = vec2();
const velocityA = vec2();
const directionA = vec2();
const directionB = vec2();
const onA = vec2();
const onB = vec2();

/**
 * Seconds, up to `most`, in which the cores can't come within `reach` of each other along the stand's normal, which separates them by that now and turns by
 * `spin`.
 *
 * Seen from A's origin in a frame that turns with the normal n, a point r of a body that turns by `own` there is at the height |r| cos(own t + ..) along n, whose
 * second derivative is at most own² |r|; B's origin d away and moving by v moves by n · (v - spin × d), and faster by at most |spin| (2 |v| + |spin| |d|) each second.
 * So the least of all heights some time later is no less than that of a support, along a direction that leans with the time, less half of these times
 * the time squared: concave in time. Its tangents come to its root from beyond; the chord to where the last of them ends stays before it.
 */
function safeStep(pair: PlanarPair, { velocity, spinA, spinB }: PlanarMotion, spin: number, reachA: number, reachB: number, reach: number, most: number): number {
  const { coreA, coreB, rotation, rotationA, translation, unit } = pair;
  const { normal: n } = stand;
  const ownA = spinA - spin;
  const ownB = spinB - spin;
  // A point r gets higher by own (n · left of r) = r · (right of n) own each second.
  leftOf(n, swing);
  scale(swing, -ownA, swingA);
  scale(swing, -ownB, swingB);
  scale(rotateBack(rotationA, velocity, velocityA), 1 / unit, velocityA);
  const far = Math.max(length(translation), length(addScaled(translation, velocityA, most, onA)));
  const bend = 0.5 * ((ownA * ownA * reachA + ownB * ownB * reachB) / unit + Math.abs(spin) * (2 * length(velocityA) + Math.abs(spin) * far));
  const drift = dot(n, velocityA) - dot(n, leftOf(translation, onA)) * spin;
  const middle = dot(n, translation) - reach;
  let step = 0;
  let room = 0;
  for (let i = 0; i <= ADVANCE_TANGENTS; i++) {
    addScaled(n, swingA, step, directionA);
    addScaled(n, swingB, step, directionB);
    farthestPoint(coreA, directionA, onA);
    rotate(rotation, farthestPoint(coreB, scale(rotateBack(rotation, directionB, onB), -1, onB), onB), onB);
    const height = middle + dot(directionB, onB) - dot(directionA, onA) + (drift - bend * step) * step;
    if (i === 0) {
      room = Math.max(height, 0);
      step = Math.min(most, 1e30);
      continue;
    }
    if (height >= 0) return step;
    if (i === ADVANCE_TANGENTS) return (step * room) / (room - height);
    // The tangent's own root, with the same bend.
    const tangent = middle + dot(n, onB) - dot(n, onA);
    step = positiveRoot(tangent, drift + dot(swingB, onB) - dot(swingA, onA), bend);
  }
  return 0;
}

const farthest = createCorner();

/** The point of a core that is farthest along a direction in its body's frame. */
function farthestPoint(core: PlanarCore, along: Vec2, to: Vec2): Vec2 {
  return copy(corner(core, support(core, along), farthest).position, to);
}

/** The root of height + slope x - bend x², height and bend at least 0. */
function positiveRoot(height: number, slope: number, bend: number): number {
  const least = Math.max(height, 0);
  const root = Math.sqrt(slope * slope + 4 * bend * least);
  return slope >= 0 ? (slope + root) / Math.max(2 * bend, 1e-300) : (2 * least) / (root - slope);
}

const touching = createTouch();

/** Writes the normal along which turning bodies meet, by how fast their points do. */
function turnedFacing(pair: PlanarPair, motion: PlanarMotion, margin: number, point: Vec2, to: Vec2): void {
  approachAt(pair, motion, point, point, speed);
  const size = length(speed);
  if (size === 0) return;
  const reach = pair.radiusA + pair.radiusB + margin;
  copy(facing(pair, scale(speed, 1 / size, speed), reach, motion.slack, standTouch(pair, stand, touching), true).normal, to);
}
