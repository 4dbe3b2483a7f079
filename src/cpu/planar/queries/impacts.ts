/** Mirror of shaders/planar/queries/impacts: when two moving bodies in 2-D meet. */
import type { LeadStage } from '../../../request/backend.ts';
import {
  LEAST_SPEED,
  MOTION_LATER,
  MOTION_LEAST_CLOSING_ULPS,
  PLANAR_IMPACT_MET,
  PLANAR_IMPACT_NONE,
  PLANAR_IMPACT_OPEN,
  PLANAR_PARTED_PAD,
  PLANAR_STAGE_SAT,
  PLANAR_STAGE_VELOCITY_EPA,
  UNBOUNDED,
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../../../generated/constants.ts';
import { approach, createApproach } from '../../approach.ts';
import { powerOfTwoBelow, set as set3, vec3 } from '../../math.ts';
import type { PairResult } from '../../queries/result.ts';
import { conservativeAdvancement } from '../conservative-advancement.ts';
import { createImpactResult, createTranslation, impact } from '../impact.ts';
import { EPSILON, addScaled, copy, directionOf, dot, length, rotateBack, scale, set, vec2 } from '../math.ts';
import { type PlanarPair, createPlanarPair, makePair, middleInWorld, toWorld } from '../pair.ts';
import { createAnswer, signedDistance } from './signed-distance.ts';
import { type MovingBodies, createMotion, isResting, pairAt, touchToleranceOf } from './motion.ts';
import { writePlace, writeVector } from './result.ts';

const direction = vec2();
const translation = createTranslation();
const startOffset = vec2();
const between = vec2();
const middle = vec2();
const offset3 = vec3();
const direction3 = vec3();
const circles = createApproach();
const found = createImpactResult();
const bounded = createMotion();

/** Two moving bodies. `to.unclampedTime` is infinite if they don't meet. */
export function impactOfBodies(
  pair: PlanarPair,
  bodies: MovingBodies,
  leadStage: LeadStage,
  to: PairResult,
): PairResult {
  const { shapeA, poseA, shapeB, poseB, motion } = bodies;
  const { offset, velocity, duration, touchTolerance } = motion;
  const isRotating = motion.angularVelocityA !== 0 || motion.angularVelocityB !== 0;
  // For bodies that rotate, from origin to origin, about which they rotate; otherwise from middle to middle.
  const size = isRotating
    ? shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale
    : shapeA.middleRadius * poseA.scale + shapeB.middleRadius * poseB.scale;
  copy(offset, between);
  if (!isRotating) {
    addScaled(between, middleInWorld(shapeB, poseB, middle), 1, between);
    addScaled(between, middleInWorld(shapeA, poseA, middle), -1, between);
  }
  const lengths = powerOfTwoBelow(Math.min(Math.max(size, Math.abs(between.x), Math.abs(between.y), 1e-30), 1e30));
  const margin = Math.min(motion.margin, UNBOUNDED * lengths);
  const longest = Math.max(Math.abs(velocity.x), Math.abs(velocity.y));
  const isMoving = longest > LEAST_SPEED;
  const speed = isMoving ? longest * length(scale(velocity, 1 / longest, direction)) : 0;
  if (isMoving) directionOf(velocity, direction);
  else set(1, 0, direction);
  const travel = isMoving ? speed * duration : 0;
  // A search from where the bounding circles meet keeps numbers small.
  approach(
    set3(between.x, between.y, 0, offset3),
    set3(direction.x, direction.y, 0, direction3),
    size + margin,
    circles,
  );
  const start = isMoving ? Math.max(circles.entry, 0) : 0;
  if (isMoving && !(circles.isNear && circles.exit >= 0 && start <= travel)) {
    found.state = PLANAR_IMPACT_NONE;
    found.iterations = 1;
    return store(pair, Infinity, to);
  }
  const begin = isMoving ? start / speed : 0;
  // Component by component, so that the offset across the translation keeps its precision, however long that is.
  makePair(
    bodies,
    isMoving ? addScaled(offset, velocity, begin, startOffset) : copy(offset, startOffset),
    margin,
    pair,
  );
  const { unit } = pair;
  rotateBack(pair.rotationA, direction, translation.direction);
  translation.isMoving = isMoving;
  translation.end = (Math.min(travel, circles.exit) - start) / unit;
  translation.isStart = start === 0;
  translation.isRotating = isRotating;
  translation.isResting = isResting(motion, isMoving);
  translation.margin = margin / unit;
  translation.size = size / unit;
  translation.touchTolerance = touchToleranceOf(touchTolerance, size / unit);
  impact(pair, translation, leadStage === 'epa' ? PLANAR_STAGE_VELOCITY_EPA : PLANAR_STAGE_SAT, found);
  if (found.state === PLANAR_IMPACT_NONE) found.iterations = Math.max(found.iterations, 1);
  let isLeaving = false;
  if (motion.passesParting && found.isInside && found.state !== PLANAR_IMPACT_NONE) {
    const isTouch = found.separation >= -translation.touchTolerance;
    const meets = isTouch ? isMoving && !isRotating : closesIn(pair, bodies, size, margin);
    isLeaving = !meets && !isTouch;
    if (!meets) found.state = PLANAR_IMPACT_NONE;
  }
  if (!isRotating || found.state !== PLANAR_IMPACT_NONE) {
    return store(pair, isMoving ? Math.min(begin + (found.travelled * unit) / speed, duration) : -Infinity, to);
  }
  // Nothing meets after the bounding circles have parted.
  const parted = isMoving ? (Math.max(circles.exit, 0) + PLANAR_PARTED_PAD * lengths) / speed : Infinity;
  Object.assign(bounded, motion);
  bounded.offset = startOffset;
  bounded.began = begin;
  bounded.duration = Math.min(duration, parted) - begin;
  bounded.margin = margin;
  const rest = { ...bodies, motion: bounded };
  return store(pair, begin + conservativeAdvancement(pair, rest, size, isLeaving, found), to);
}

const laterPair = createPlanarPair();
const later = createAnswer();
const inWorld = vec2();

/**
 * Whether bodies that overlap, as in `found`, get deeper at the start by more than rounding. `size`: the sum of the
 * bounding radii.
 */
function closesIn(pair: PlanarPair, bodies: MovingBodies, size: number, margin: number): boolean {
  const { motion } = bodies;
  const { velocity, offset, angularVelocityA, angularVelocityB } = motion;
  const turning = Math.abs(angularVelocityA) + Math.abs(angularVelocityB);
  if (turning === 0)
    return (
      -dot(toWorld(pair, found.standing, inWorld), velocity) > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(velocity)
    );
  // For bodies that touch at many points, the effect of rotation on their depth is measured best by the depth a little
  // later.
  const far = Math.max(size, length(offset));
  const seconds = (MOTION_LATER * Math.sqrt(motion.touchTolerance) * far) / (length(velocity) + turning * far);
  pairAt(bodies, seconds, laterPair);
  signedDistance(laterPair, UNBOUNDED, PLANAR_STAGE_SAT, 0, later);
  return (
    found.separation * pair.unit - (later.lower * laterPair.unit - margin) >
    touchToleranceOf(motion.touchTolerance, size / pair.unit) * pair.unit
  );
}

/** From the pair's frame and unit to the world's. */
function store(pair: PlanarPair, time: number, to: PairResult): PairResult {
  const { state, normal, point } = found;
  to.status =
    state === PLANAR_IMPACT_NONE
      ? STATUS_SEPARATED
      : state === PLANAR_IMPACT_OPEN
        ? STATUS_NOT_CONVERGED
        : STATUS_OVERLAPPING;
  to.hit = state !== PLANAR_IMPACT_NONE;
  to.hasPoints = state === PLANAR_IMPACT_MET;
  to.iterations = found.iterations;
  to.unclampedTime = to.hit ? time : Infinity;
  set3(0, 0, 0, to.normal);
  set3(0, 0, 0, to.pointA);
  if (to.hit) writeVector(pair, normal, to.normal);
  if (to.hasPoints) writePlace(pair, point, to.pointA);
  return to;
}
