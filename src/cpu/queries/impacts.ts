/** Mirror of shaders/queries/impacts: when two moving bodies meet. */
import type { LeadStage } from '../../request/backend.ts';
import {
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_POINT,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  IMPACT_PAD,
  LEAST_SPEED,
  MOTION_LATER,
  MOTION_LEAST_CLOSING_ULPS,
  PASSAGE_PARTING,
  PASSAGE_STOPPED,
  PASSAGE_TOUCHING,
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
  UNBOUNDED,
} from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { approach, createApproach } from '../approach.ts';
import { closedForm, createClosedForm } from '../closed-form.ts';
import { conservativeAdvancement } from '../conservative-advancement.ts';
import { createTranslation, staysShallow } from '../impact-normal.ts';
import { createImpactResult, impact } from '../impact.ts';
import { EPSILON, addScaled, copy, dot, length, powerOfTwoBelow, scale, set, transformBack, vec3 } from '../math.ts';
import { type Pair, createPair, makePair, middleInWorld } from '../pair.ts';
import { sweptSat } from '../swept-sat.ts';
import { velocityEpa } from '../velocity-epa.ts';
import { type Motion, type MovingBodies, rotationReach, poseAt } from './motion.ts';
import { AT_ANY_DISTANCE, contact } from './contacts.ts';
import { type PairResult, acceptedGap, createPairResult } from './result.ts';
import { placeInWorld, toWorld } from './pair-unit.ts';

const direction = vec3();
/** B's translation from where the bounding spheres meet, in A's frame and the pair's unit. */
const translation = createTranslation();
const directionA = translation.direction;
const startOffset = vec3();
const between = vec3();
const middle = vec3();
const spheres = createApproach();
const found = createImpactResult();
const closed = createClosedForm();
const standing = createPairResult();
const laterPair = createPair();
const laterOffset = vec3();
const rotatedA = { scale: 1, quaternion: new Float64Array(4) };
const rotatedB = { scale: 1, quaternion: new Float64Array(4) };

/** B's course relative to A, in world units. */
const course = {
  isMoving: false,
  speed: 0,
  /** How far B goes. */
  length: 0,
  /** The sum of the bounding radii, and the distance at which bodies meet. */
  size: 0,
  margin: 0,
  /** How far B goes until the bounding spheres meet, and from there until they part or the motion ends. */
  start: 0,
  end: 0,
};

/**
 * Two moving bodies. `to.unclampedTime` is infinite if they don't meet. `begin`: for bodies that rotate, a time up to
 * which they are known to be apart. The kernels have no such parameter.
 */
export function impactOfBodies(
  pair: Pair,
  bodies: MovingBodies,
  leadStage: LeadStage,
  to: PairResult,
  begin = 0,
): PairResult {
  const { shapeA, poseA, shapeB, poseB, motion } = bodies;
  const isRotating = rotates(motion);
  findTranslation(bodies);
  if (!findEntry(bodies)) {
    found.state = IMPACT_NONE;
    found.iterations = 1;
    return store(pair, Infinity, to);
  }
  const { speed, start } = course;
  makePair(shapeA, poseA, shapeB, poseB, startOffset, pair);
  transformBack(pair.rotationA, direction, directionA);
  if (isRotating && !isHalfspacePair(bodies) && (start > 0 || begin > 0)) {
    found.state = IMPACT_NONE;
    found.isInside = false;
    found.iterations = 0;
    set(0, 0, 0, found.normal);
    set(0, 0, 0, found.point);
  } else {
    translatingImpact(pair, bodies, leadStage);
  }
  const passage =
    motion.passesParting && start === 0 && found.isInside && found.state !== IMPACT_NONE
      ? passageOf(pair, bodies)
      : PASSAGE_STOPPED;
  if (passage === PASSAGE_PARTING || (passage === PASSAGE_TOUCHING && isRotating)) found.state = IMPACT_NONE;
  if (!isRotating || found.state === IMPACT_MET) {
    const time = speed > 0 ? Math.min((start + found.travelled * pair.unit) / speed, motion.duration) : -Infinity;
    return store(pair, time, to);
  }
  return store(pair, rotatingImpact(pair, bodies, passage, begin), to);
}

function rotates({ angularVelocityA, angularVelocityB }: Motion): boolean {
  return length(angularVelocityA) + length(angularVelocityB) > 0;
}

function isHalfspacePair({ shapeA, shapeB }: MovingBodies): boolean {
  return Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE;
}

function findTranslation({ shapeA, poseA, shapeB, poseB, motion }: MovingBodies): void {
  const { offset, velocity, duration } = motion;
  const isRotating = rotates(motion);
  // For bodies that rotate, from origin to origin, about which they rotate; otherwise from middle to middle.
  const size = isRotating
    ? rotationReach(shapeA, poseA) + rotationReach(shapeB, poseB)
    : shapeA.middleRadius * poseA.scale + shapeB.middleRadius * poseB.scale;
  copy(offset, between);
  if (!isRotating) {
    addScaled(between, middleInWorld(shapeB, poseB, middle), 1, between);
    addScaled(between, middleInWorld(shapeA, poseA, middle), -1, between);
  }
  const lengths = powerOfTwoBelow(
    Math.min(Math.max(size, Math.abs(between.x), Math.abs(between.y), Math.abs(between.z), 1e-30), 1e30),
  );
  const longest = Math.max(Math.abs(velocity.x), Math.abs(velocity.y), Math.abs(velocity.z));
  const isMoving = longest > LEAST_SPEED;
  let speed = 0;
  if (isMoving) {
    scale(velocity, 1 / longest, direction);
    speed = longest * length(direction);
    scale(direction, longest / speed, direction);
  } else if (length(between) > 0) {
    scale(between, -1 / length(between), direction);
  } else {
    set(-1, 0, 0, direction);
  }
  course.isMoving = isMoving;
  course.speed = speed;
  course.length = isMoving ? speed * duration : 0;
  course.size = size;
  course.margin = Math.min(motion.margin, UNBOUNDED * lengths);
}

/** Finds where the bounding spheres meet and part. Gives false if they don't meet. */
function findEntry(bodies: MovingBodies): boolean {
  const { offset, velocity } = bodies.motion;
  course.start = 0;
  course.end = course.length;
  copy(offset, startOffset);
  if (isHalfspacePair(bodies) || !course.isMoving) return true;
  approach(between, direction, course.size + course.margin, spheres);
  const start = Math.max(spheres.entry, 0);
  if (!spheres.isNear || spheres.exit < 0 || start > course.length) return false;
  course.start = start;
  course.end = Math.min(course.length, spheres.exit) - start;
  // Component by component, so that the offset across the translation keeps its precision, however long that is.
  addScaled(offset, velocity, start / course.speed, startOffset);
  return true;
}

/** The impact of bodies that translate; for rotating bodies, whether they overlap at the start. */
function translatingImpact(pair: Pair, bodies: MovingBodies, leadStage: LeadStage): void {
  const { shapeA, shapeB, motion } = bodies;
  const { unit } = pair;
  const isRotating = rotates(motion);
  const margin = course.margin / unit;
  translation.isMoving = course.isMoving;
  translation.end = isRotating ? 0 : course.end / unit;
  translation.isStart = course.start === 0;
  translation.targetDistance = pair.radiusA + pair.radiusB + margin;
  translation.reach = course.size / unit + margin;
  translation.touchTolerance = motion.touchTolerance;
  if (isHalfspacePair(bodies)) {
    halfspaceImpact(pair, shapeA.kind === CORE_HALFSPACE, margin);
  } else if (leadStage === 'sat' && !isRotating && margin === 0 && isSharpBox(shapeA) && isSharpBox(shapeB)) {
    sweptSat(pair, translation, found);
  } else {
    const isByEpa = leadStage === 'epa' && !isRotating && Math.max(shapeA.kind, shapeB.kind) > CORE_POINT;
    if (isByEpa) velocityEpa(pair, shapeA, shapeB, translation, found);
    if (!isByEpa || found.state === IMPACT_OPEN) impact(pair, shapeA, shapeB, translation, found);
  }
}

/** When rotating bodies meet that don't overlap at the start, or overlap and part. */
function rotatingImpact(pair: Pair, bodies: MovingBodies, passage: number, begin: number): number {
  const { isMoving, start, speed, size, margin } = course;
  // Nothing meets after the bounding spheres have parted.
  const parted =
    isMoving && !isHalfspacePair(bodies)
      ? (Math.max(spheres.exit, 0) + IMPACT_PAD * (size + length(between))) / speed
      : Infinity;
  const motion = { ...bodies.motion, margin, duration: Math.min(bodies.motion.duration, parted) };
  return conservativeAdvancement(
    pair,
    { ...bodies, motion },
    Math.max(start > 0 ? start / speed : 0, begin),
    found.isInside && passage !== PASSAGE_PARTING,
    passage === PASSAGE_PARTING,
    found,
  );
}

/**
 * What becomes of bodies that overlap or touch at the start, if bodies meet only where they close in: one of
 * `PASSAGE_`.
 */
function passageOf(pair: Pair, { shapeA, poseA, shapeB, poseB, motion }: MovingBodies): number {
  const { distance, normal } = contact(pair, shapeA, shapeB, AT_ANY_DISTANCE, standing);
  const depth = (course.margin - distance) / pair.unit;
  if (depth < -acceptedGap(pair)) return PASSAGE_STOPPED;
  const isRotating = rotates(motion);
  // Bodies that translate and only touch are known to close in, unless they rest.
  if (depth <= motion.touchTolerance && (course.isMoving || isRotating))
    return isRotating ? PASSAGE_TOUCHING : PASSAGE_STOPPED;
  if (!isRotating)
    return -dot(normal, motion.velocity) > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity)
      ? PASSAGE_STOPPED
      : PASSAGE_PARTING;
  // For bodies that touch at many points, the effect of rotation on their depth is measured best by the depth a little
  // later.
  const { velocity, angularVelocityA, angularVelocityB, offset } = motion;
  const far = Math.max(course.size, length(offset));
  const seconds =
    (MOTION_LATER * Math.sqrt(motion.touchTolerance) * far) /
    (length(velocity) + (length(angularVelocityA) + length(angularVelocityB)) * far);
  makePair(
    shapeA,
    poseAt(poseA, angularVelocityA, seconds, rotatedA),
    shapeB,
    poseAt(poseB, angularVelocityB, seconds, rotatedB),
    addScaled(offset, velocity, seconds, laterOffset),
    laterPair,
  );
  const later = contact(laterPair, shapeA, shapeB, AT_ANY_DISTANCE, standing);
  return distance - later.distance > motion.touchTolerance * pair.unit ? PASSAGE_STOPPED : PASSAGE_PARTING;
}

function isSharpBox({ kind, radius }: ShapeData): boolean {
  return kind === CORE_BOX && radius === 0;
}

/** The impact of a bounded shape and a half-space: its lowest point decides at all times. */
function halfspaceImpact(pair: Pair, isHalfspaceA: boolean, margin: number): void {
  const { isMoving, end, touchTolerance } = translation;
  const { normal, lower, onA, onB } = closedForm(pair, closed);
  const distance = lower - (pair.radiusA + pair.radiusB) - margin;
  const closing = isMoving ? -dot(normal, directionA) : 0;
  const isClosing = closing > MOTION_LEAST_CLOSING_ULPS * EPSILON;
  found.iterations = 1;
  found.isInside = distance <= acceptedGap(pair);
  found.state = IMPACT_MET;
  found.travelled = -Infinity;
  copy(normal, found.normal);
  addScaled(onA, normal, pair.radiusA, found.point);
  if (isClosing) {
    found.travelled = distance / closing;
    if (found.travelled > end || staysShallow(closing, end * closing - distance, touchTolerance))
      found.state = IMPACT_NONE;
    // Below the bounded shape's lowest point. In A's frame, B moves.
    if (isHalfspaceA)
      addScaled(addScaled(onB, normal, -pair.radiusB - margin, found.point), directionA, found.travelled, found.point);
  } else if (distance > (isMoving ? -touchTolerance : 0)) {
    found.state = IMPACT_NONE;
  }
}

/** From the pair's frame and unit to the world's. */
function store(pair: Pair, time: number, to: PairResult): PairResult {
  const { state, normal, point } = found;
  to.status =
    state === IMPACT_NONE ? STATUS_SEPARATED : state === IMPACT_OPEN ? STATUS_NOT_CONVERGED : STATUS_OVERLAPPING;
  to.hit = state !== IMPACT_NONE;
  to.hasPoints = state === IMPACT_MET;
  to.iterations = found.iterations;
  to.unclampedTime = state === IMPACT_NONE ? Infinity : time;
  set(0, 0, 0, to.normal);
  set(0, 0, 0, to.pointA);
  if (state === IMPACT_NONE) return to;
  toWorld(pair, normal, to.normal);
  if (state === IMPACT_OPEN) return to;
  placeInWorld(pair, point, to.pointA);
  return to;
}
