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
import { staysShallow } from '../impact-normal.ts';
import { createImpactResult, impact } from '../impact.ts';
import { EPSILON, addScaled, copy, dot, length, powerOfTwoBelow, scale, set, transformBack, vec3 } from '../math.ts';
import { type Pair, type Pose, createPair, makePair, middleInWorld } from '../pair.ts';
import { sweptSat } from '../swept-sat.ts';
import { velocityEpa } from '../velocity-epa.ts';
import { type Motion, poseAt } from './motion.ts';
import { contact } from './contacts.ts';
import { type PairResult, acceptedGap, createPairResult } from './result.ts';
import { placeInWorld, toWorld } from './pair-unit.ts';

const direction = vec3();
const directionA = vec3();
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

/**
 * Two moving bodies. `to.unclampedTime` is infinite if they don't meet. `begin`: for bodies that rotate, a time up to which they
 * are known to be apart. The kernels have no such parameter.
 */
export function impactOfBodies(
  pair: Pair,
  shapeA: ShapeData,
  poseA: Pose,
  shapeB: ShapeData,
  poseB: Pose,
  motion: Motion,
  leadStage: LeadStage,
  to: PairResult,
  begin = 0,
): PairResult {
  const { offset, velocity, duration, touchTolerance } = motion;
  const isRotating = length(motion.angularVelocityA) + length(motion.angularVelocityB) > 0;
  // For bodies that rotate, from origin to origin, about which they rotate; otherwise from middle to middle.
  const size = isRotating
    ? shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale
    : shapeA.middleRadius * poseA.scale + shapeB.middleRadius * poseB.scale;
  copy(offset, between);
  if (!isRotating) {
    addScaled(between, middleInWorld(shapeB, poseB, middle), 1, between);
    addScaled(between, middleInWorld(shapeA, poseA, middle), -1, between);
  }
  const lengths = powerOfTwoBelow(
    Math.min(Math.max(size, Math.abs(between.x), Math.abs(between.y), Math.abs(between.z), 1e-30), 1e30),
  );
  const margin = Math.min(motion.margin, UNBOUNDED * lengths);
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
  const translation = isMoving ? speed * duration : 0;
  const isHalfspace = Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE;
  let start = 0;
  let end = translation;
  copy(offset, startOffset);
  if (!isHalfspace && isMoving) {
    approach(between, direction, size + margin, spheres);
    start = Math.max(spheres.entry, 0);
    if (!spheres.isNear || spheres.exit < 0 || start > translation) {
      found.state = IMPACT_NONE;
      found.iterations = 1;
      return store(pair, Infinity, to);
    }
    end = Math.min(translation, spheres.exit) - start;
    // Component by component, so that the offset across the translation keeps its precision, however long that is.
    addScaled(offset, velocity, start / speed, startOffset);
  }
  makePair(shapeA, poseA, shapeB, poseB, startOffset, pair);
  const { unit } = pair;
  transformBack(pair.rotationA, direction, directionA);
  // For rotating bodies: whether they overlap at the start.
  const pairTravel = isRotating ? 0 : end / unit;
  if (isHalfspace) {
    halfspaceImpact(pair, shapeA.kind === CORE_HALFSPACE, pairTravel, margin / unit, isMoving, touchTolerance);
  } else if (isRotating && (start > 0 || begin > 0)) {
    found.state = IMPACT_NONE;
    found.isInside = false;
    found.iterations = 0;
    set(0, 0, 0, found.normal);
    set(0, 0, 0, found.point);
  } else if (leadStage === 'sat' && !isRotating && margin === 0 && isSharpBox(shapeA) && isSharpBox(shapeB)) {
    sweptSat(pair, directionA, pairTravel, start === 0, isMoving, touchTolerance, found);
  } else {
    const isByEpa = leadStage === 'epa' && !isRotating && Math.max(shapeA.kind, shapeB.kind) > CORE_POINT;
    if (isByEpa)
      velocityEpa(pair, shapeA, shapeB, directionA, pairTravel, margin / unit, isMoving, touchTolerance, found);
    if (!isByEpa || found.state === IMPACT_OPEN)
      impact(
        pair,
        shapeA,
        shapeB,
        directionA,
        pairTravel,
        margin / unit,
        size / unit,
        start === 0,
        isMoving,
        touchTolerance,
        found,
      );
  }
  const passage =
    motion.passesParting && start === 0 && found.isInside && found.state !== IMPACT_NONE
      ? passageOf(pair, shapeA, poseA, shapeB, poseB, motion, size, margin, isMoving)
      : PASSAGE_STOPPED;
  if (passage === PASSAGE_PARTING || (passage === PASSAGE_TOUCHING && isRotating)) found.state = IMPACT_NONE;
  if (!isRotating || found.state === IMPACT_MET) {
    return store(pair, speed > 0 ? Math.min((start + found.travelled * unit) / speed, duration) : -Infinity, to);
  }
  // Nothing meets after the bounding spheres have parted.
  const parted =
    isMoving && !isHalfspace ? (Math.max(spheres.exit, 0) + IMPACT_PAD * (size + length(between))) / speed : Infinity;
  const time = conservativeAdvancement(
    pair,
    shapeA,
    poseA,
    shapeB,
    poseB,
    margin === motion.margin ? motion : { ...motion, margin },
    Math.max(start > 0 ? start / speed : 0, begin),
    Math.min(duration, parted),
    found.isInside && passage !== PASSAGE_PARTING,
    passage === PASSAGE_PARTING,
    found,
  );
  return store(pair, time, to);
}

/**
 * What becomes of bodies that overlap or touch at the start, if bodies meet only where they close in: one of
 * `PASSAGE_`.
 */
function passageOf(
  pair: Pair,
  shapeA: ShapeData,
  poseA: Pose,
  shapeB: ShapeData,
  poseB: Pose,
  motion: Motion,
  size: number,
  margin: number,
  isMoving: boolean,
): number {
  const { distance, normal } = contact(pair, shapeA, shapeB, Infinity, 'sat', standing);
  const depth = (margin - distance) / pair.unit;
  if (depth < -acceptedGap(pair)) return PASSAGE_STOPPED;
  const isRotating = length(motion.angularVelocityA) + length(motion.angularVelocityB) > 0;
  // Bodies that translate and only touch are known to close in, unless they rest.
  if (depth <= motion.touchTolerance && (isMoving || isRotating))
    return isRotating ? PASSAGE_TOUCHING : PASSAGE_STOPPED;
  if (!isRotating)
    return -dot(normal, motion.velocity) > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity)
      ? PASSAGE_STOPPED
      : PASSAGE_PARTING;
  // For bodies that touch at many points, the effect of rotation on their depth is measured best by the depth a little
  // later.
  const { velocity, angularVelocityA, angularVelocityB, offset } = motion;
  const far = Math.max(size, length(offset));
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
  const later = contact(laterPair, shapeA, shapeB, Infinity, 'sat', standing);
  return distance - later.distance > motion.touchTolerance * pair.unit ? PASSAGE_STOPPED : PASSAGE_PARTING;
}

function isSharpBox({ kind, radius }: ShapeData): boolean {
  return kind === CORE_BOX && radius === 0;
}

/** The impact of a bounded shape and a half-space: its lowest point decides at all times. */
function halfspaceImpact(
  pair: Pair,
  isHalfspaceA: boolean,
  end: number,
  margin: number,
  isMoving: boolean,
  touchTolerance: number,
): void {
  const { normal, lower, onA, onB } = closedForm(pair, closed);
  const distance = lower - pair.radiusA - pair.radiusB - margin;
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
