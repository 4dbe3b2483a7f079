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
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
  UNBOUNDED,
} from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { advance, turned } from '../advance.ts';
import { approach, createApproach } from '../approach.ts';
import { closedForm, createClosedForm } from '../closed.ts';
import { staysShallow } from '../facing.ts';
import { createImpactResult, impact } from '../impact.ts';
import { EPSILON, addScaled, copy, dot, length, powerOfTwoBelow, scale, set, transformBack, vec3 } from '../math.ts';
import { type Pair, type Pose, createPair, makePair } from '../pair.ts';
import { sweptSat } from '../swept-sat.ts';
import { velocityEpa } from '../velocity-epa.ts';
import type { Motion } from './motion.ts';
import { contact } from './contacts.ts';
import { type PairResult, acceptedGap, createPairResult } from './result.ts';
import { toWorld } from './units.ts';

const along = vec3();
const alongA = vec3();
const startOffset = vec3();
const spheres = createApproach();
const found = createImpactResult();
const closed = createClosedForm();
const standing = createPairResult();
const laterPair = createPair();
const laterOffset = vec3();
const turnedA = { scale: 1, quaternion: new Float64Array(4) };
const turnedB = { scale: 1, quaternion: new Float64Array(4) };

/** Two moving bodies. `to.unclampedTime` is infinite where they don't meet. */
export function impactOfBodies(
  pair: Pair,
  shapeA: ShapeData,
  poseA: Pose,
  shapeB: ShapeData,
  poseB: Pose,
  motion: Motion,
  leadStage: LeadStage,
  to: PairResult,
): PairResult {
  const { offset, velocity, duration, slack } = motion;
  const size = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  const lengths = powerOfTwoBelow(
    Math.min(Math.max(size, Math.abs(offset.x), Math.abs(offset.y), Math.abs(offset.z), 1e-30), 1e30),
  );
  const margin = Math.min(motion.margin, UNBOUNDED * lengths);
  const longest = Math.max(Math.abs(velocity.x), Math.abs(velocity.y), Math.abs(velocity.z));
  const isMoving = longest > LEAST_SPEED;
  const isTurning = length(motion.spinA) + length(motion.spinB) > 0;
  let speed = 0;
  if (isMoving) {
    scale(velocity, 1 / longest, along);
    speed = longest * length(along);
    scale(along, longest / speed, along);
  } else if (length(offset) > 0) {
    scale(offset, -1 / length(offset), along);
  } else {
    set(-1, 0, 0, along);
  }
  const way = isMoving ? speed * duration : 0;
  const isPlane = Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE;
  let start = 0;
  let end = way;
  copy(offset, startOffset);
  if (!isPlane && isMoving) {
    approach(offset, along, size + margin, spheres);
    start = Math.max(spheres.entry, 0);
    if (!spheres.isNear || spheres.exit < 0 || start > way) {
      found.state = IMPACT_NONE;
      found.iterations = 1;
      return store(pair, Infinity, to);
    }
    end = Math.min(way, spheres.exit) - start;
    // Component by component: what lies across the way keeps its precision, however long that is.
    addScaled(offset, velocity, start / speed, startOffset);
  }
  makePair(shapeA, poseA, shapeB, poseB, startOffset, pair);
  const { unit } = pair;
  transformBack(pair.rotationA, along, alongA);
  // Of bodies that turn: whether they overlap as they start.
  const reach = isTurning ? 0 : end / unit;
  if (isPlane) {
    planeImpact(pair, shapeA.kind === CORE_HALFSPACE, reach, margin / unit, isMoving, slack);
  } else if (isTurning && start > 0) {
    found.state = IMPACT_NONE;
    found.isInside = false;
    found.iterations = 0;
    set(0, 0, 0, found.normal);
    set(0, 0, 0, found.point);
  } else if (leadStage === 'sat' && !isTurning && margin === 0 && isSharpBox(shapeA) && isSharpBox(shapeB)) {
    sweptSat(pair, alongA, reach, start === 0, isMoving, slack, found);
  } else if (leadStage === 'epa' && !isTurning && Math.max(shapeA.kind, shapeB.kind) > CORE_POINT) {
    velocityEpa(pair, shapeA, shapeB, alongA, reach, margin / unit, isMoving, slack, found);
    if (found.state === IMPACT_OPEN)
      impact(pair, shapeA, shapeB, alongA, reach, margin / unit, size / unit, start === 0, isMoving, slack, found);
  } else {
    impact(pair, shapeA, shapeB, alongA, reach, margin / unit, size / unit, start === 0, isMoving, slack, found);
  }
  const passage =
    motion.passesParting && start === 0 && found.isInside && found.state !== IMPACT_NONE
      ? passageOf(pair, shapeA, poseA, shapeB, poseB, motion, size, margin, isMoving)
      : STOPPED;
  if (passage === PARTING || (passage === TOUCHING && isTurning)) found.state = IMPACT_NONE;
  if (!isTurning || found.state === IMPACT_MET) {
    return store(pair, speed > 0 ? Math.min((start + found.path * unit) / speed, duration) : -Infinity, to);
  }
  // Where the bounding spheres have parted nothing meets.
  const parted =
    isMoving && !isPlane ? (Math.max(spheres.exit, 0) + IMPACT_PAD * (size + length(offset))) / speed : Infinity;
  const time = advance(
    pair,
    shapeA,
    poseA,
    shapeB,
    poseB,
    margin === motion.margin ? motion : { ...motion, margin },
    start > 0 ? start / speed : 0,
    Math.min(duration, parted),
    found.isInside && passage !== PARTING,
    passage === PARTING,
    found,
  );
  return store(pair, time, to);
}

/** What becomes of bodies that overlap or touch as the motion begins. */
const STOPPED = 0;
const TOUCHING = 1;
const PARTING = 2;

/** Of bodies that don't stop each other but where they close in. */
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
  if (depth < -acceptedGap(pair)) return STOPPED;
  const isTurning = length(motion.spinA) + length(motion.spinB) > 0;
  // Those in straight motion that no more than touch are known to close in, unless they rest.
  if (depth <= motion.slack && (isMoving || isTurning)) return isTurning ? TOUCHING : STOPPED;
  if (!isTurning)
    return -dot(normal, motion.velocity) > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity)
      ? STOPPED
      : PARTING;
  // What turning does to the depth of bodies that have many points on each other is told best by how deep they are a
  // little later.
  const { velocity, spinA, spinB, offset } = motion;
  const far = Math.max(size, length(offset));
  const seconds =
    (MOTION_LATER * Math.sqrt(motion.slack) * far) / (length(velocity) + (length(spinA) + length(spinB)) * far);
  makePair(
    shapeA,
    turned(poseA, spinA, seconds, turnedA),
    shapeB,
    turned(poseB, spinB, seconds, turnedB),
    addScaled(offset, velocity, seconds, laterOffset),
    laterPair,
  );
  const later = contact(laterPair, shapeA, shapeB, Infinity, 'sat', standing);
  return distance - later.distance > motion.slack * pair.unit ? STOPPED : PARTING;
}

function isSharpBox({ kind, radius }: ShapeData): boolean {
  return kind === CORE_BOX && radius === 0;
}

/** The impact of a bounded shape and a half-space: its lowest point decides, whenever. */
function planeImpact(
  pair: Pair,
  isHalfspaceA: boolean,
  end: number,
  margin: number,
  isMoving: boolean,
  slack: number,
): void {
  const { normal, lower, onA, onB } = closedForm(pair, closed);
  const distance = lower - pair.radiusA - pair.radiusB - margin;
  const closing = isMoving ? -dot(normal, alongA) : 0;
  const isClosing = closing > MOTION_LEAST_CLOSING_ULPS * EPSILON;
  found.iterations = 1;
  found.isInside = distance <= acceptedGap(pair);
  found.state = IMPACT_MET;
  found.path = -Infinity;
  copy(normal, found.normal);
  addScaled(onA, normal, pair.radiusA, found.point);
  if (isClosing) {
    found.path = distance / closing;
    if (found.path > end || staysShallow(closing, end * closing - distance, slack)) found.state = IMPACT_NONE;
    // Under the bounded shape's lowest point; what moves in A's frame is B.
    if (isHalfspaceA)
      addScaled(addScaled(onB, normal, -pair.radiusB - margin, found.point), alongA, found.path, found.point);
  } else if (distance > (isMoving ? -slack : 0)) {
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
  toWorld(pair, scale(point, pair.unit, point), to.pointA);
  return to;
}
