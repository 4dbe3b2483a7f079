/** Mirror of shaders/conservative-advancement.wgsl: when two rotating bodies meet, by conservative advancement. */
import {
  ADVANCE_MAX_ITERATIONS,
  ADVANCE_MOST_TURN,
  ADVANCE_OFFSET,
  ADVANCE_STEEP,
  APPROACHING,
  BISECTING,
  CORE_HALFSPACE,
  GJK_CONVERGED,
  GJK_STALLED,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  LEAVING,
  MEETING,
  MOTION_OPPOSITE,
  TOUCHING,
} from '../generated/constants.ts';
import {
  bisect,
  createProgress,
  startProgress,
  startTouching,
  stepBack,
  takeStep,
  touchInterval,
} from './advancement-progress.ts';
import { createCastResult } from './cast.ts';
import { closedForm, createClosedForm } from './closed-form.ts';
import { impactNormal } from './impact-normal.ts';
import { GUESS_LENGTH, NO_GUESS, NO_ID, createGjkResult, gjk, storeGuess } from './gjk.ts';
import { type ImpactResult, touchPoint } from './impact.ts';
import { addScaled, copy, cross, dot, length, scale, set, transform, transformBack, vec3 } from './math.ts';
import { type Pair, makePair } from './pair.ts';
import { type Motion, type MovingBodies, rotationReach, greatestSpeed, poseAt, velocityAt } from './queries/motion.ts';
import { recorder } from './recorder.ts';
import { acceptedGap } from './queries/result.ts';
import { simplexWitness } from './queries/witness.ts';
import { edgeTurn, longestStep } from './safe-step.ts';
import { createPoint, differenceSupport } from './support.ts';

/** No warp waits for a slow pair here, and pairs that kernels leave open are passed to the reference. */
const MAX_ITERATIONS = 16 * ADVANCE_MAX_ITERATIONS;

const search = createGjkResult();
const closed = createClosedForm();
const guess = new Float64Array(GUESS_LENGTH);
const rotatedA = { scale: 1, quaternion: new Float64Array(4) };
const rotatedB = { scale: 1, quaternion: new Float64Array(4) };
const progress = createProgress();
const offset = vec3();
const touchNormal = vec3();
/** In world axes. */
const normal = vec3();
const turn = vec3();
const direction = vec3();
const towards = vec3();
const opposite = vec3();
const lowest = createPoint();
const cores = { onA: vec3(), onB: vec3() };
const { onA, onB } = cores;
const found = createCastResult();

/** The bodies at a time. */
const gap = {
  /** Lower bound of the distance beyond the target distance. */
  separation: 0,
  /** Overlapping cores, and cores that touch to rounding, have no normal. */
  hasNormal: false,
  /** To rounding the bodies overlap, and along the normal of the touch by no more than the tolerance. */
  isTouch: false,
};

/**
 * From `begin` on, in seconds after the start of the motion. `isTouching`: the bodies touch at `begin`, with a normal
 * and a point in `result`, and part or slide along each other, or seem to. `isLeaving`: they overlap then and part; the
 * result is the impact after they have come apart. Gives the time of impact, or a bound, and leaves the pair as it is
 * then.
 */
export function conservativeAdvancement(
  pair: Pair,
  bodies: MovingBodies,
  begin: number,
  isTouching: boolean,
  isLeaving: boolean,
  result: ImpactResult,
): number {
  const { shapeA, poseA, shapeB, poseB, motion } = bodies;
  const { duration, angularVelocityA, angularVelocityB, touchTolerance } = motion;
  const isHalfspace = Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE;
  const extentA = rotationReach(shapeA, poseA);
  const extentB = rotationReach(shapeB, poseB);
  const mostInterval = ADVANCE_MOST_TURN / (length(angularVelocityA) + length(angularVelocityB));
  guess.fill(NO_ID);
  result.state = IMPACT_OPEN;
  result.iterations = 0;
  if (isLeaving) set(0, 0, 0, touchNormal);
  else transform(pair.rotationA, result.normal, touchNormal);
  startProgress(bodies, begin, touchNormal, isLeaving, progress);
  if (isTouching) {
    progress.state = TOUCHING;
    progress.interval = touchInterval(motion, extentA, extentB);
  }
  const { lastStep } = progress;
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const before = progress.time;
    if (progress.interval > 0) progress.time = Math.min(before + progress.interval, duration);
    const { time } = progress;
    placePair(bodies, time, pair);
    if (progress.state === MEETING && progress.touchTime >= 0) {
      transformBack(pair.rotationA, progress.touchNormal, result.normal);
      return end(result, IMPACT_MET, time);
    }
    const targetDistance = pair.radiusA + pair.radiusB + motion.margin / pair.unit;
    const accepted = 0.5 * acceptedGap(pair);
    result.iterations += findGap(pair, isHalfspace, targetDistance, touchTolerance);
    const { separation, hasNormal } = gap;
    if (recorder) recorder.advance(pair, time, separation, normal, progress.state);
    if (!hasNormal && lastStep.seconds > 0 && time > lastStep.time) {
      stepBack(progress);
      continue;
    }
    if (progress.state === LEAVING && hasNormal && separation > Math.max(accepted, touchTolerance)) {
      progress.state = APPROACHING;
      progress.interval = 0;
    }
    if (progress.state === TOUCHING) {
      progress.state = stateAfterTouch(isHalfspace, accepted, touchTolerance);
      if (progress.state === MEETING) {
        // Without a time of touch they touched from the start on, and the last time without overlap counts.
        progress.time = progress.touchTime >= 0 ? progress.touchTime : before;
        progress.interval = 0;
        continue;
      }
      progress.interval = progress.state === TOUCHING ? Math.min(2 * progress.interval, mostInterval) : 0;
    }
    if (progress.state === LEAVING || progress.state === TOUCHING) {
      if (time >= duration) return end(result, IMPACT_NONE, time);
      continue;
    }
    if (progress.state === BISECTING && bisect(progress, separation, accepted)) continue;
    if (separation <= accepted || progress.state === MEETING || progress.state === BISECTING) {
      const closing = storeContact(pair, bodies, targetDistance, result);
      if (progress.state === MEETING || closing > ADVANCE_STEEP * greatestSpeed(motion, extentA, extentB))
        return end(result, IMPACT_MET, time);
      // They may part, or slide along each other.
      startTouching(progress, transform(pair.rotationA, result.normal, touchNormal));
      progress.interval = Math.min(touchInterval(motion, extentA, extentB), mostInterval);
      continue;
    }
    const most = duration - time;
    findNormalTurn(pair, motion, time);
    const step = longestStep(pair, bodies, time, normal, turn, targetDistance);
    if (step >= most) return end(result, IMPACT_NONE, time);
    // The numbers are too large for a bound.
    if (!(step > 0)) break;
    takeStep(progress, step, separation, normal);
  }
  transformBack(pair.rotationA, normal, result.normal);
  return end(result, IMPACT_OPEN, progress.time);
}

/** Sets `offset` and the pair to those of a time. */
function placePair({ shapeA, poseA, shapeB, poseB, motion }: MovingBodies, time: number, pair: Pair): void {
  addScaled(motion.offset, motion.velocity, time, offset);
  const placedA = poseAt(poseA, motion.angularVelocityA, time, rotatedA);
  const placedB = poseAt(poseB, motion.angularVelocityB, time, rotatedB);
  makePair(shapeA, placedA, shapeB, placedB, offset, pair);
}

/** How the normal rotates, for the length of the next step: as edges do, or as it did on the last step. */
function findNormalTurn(pair: Pair, motion: Motion, time: number): void {
  const { lastStep } = progress;
  if (edgeTurn(pair, motion, search.simplex, normal, turn)) return;
  if (lastStep.seconds > 0) scale(cross(lastStep.normal, normal, turn), 1 / (time - lastStep.time), turn);
  else set(0, 0, 0, turn);
}

function end(result: ImpactResult, state: number, time: number): number {
  result.state = state;
  return time;
}

/** Finds the separation, and the normal if there is one. Gives how many supports it took. */
function findGap(pair: Pair, isHalfspace: boolean, targetDistance: number, touchTolerance: number): number {
  gap.isTouch = false;
  if (isHalfspace) {
    gap.separation = closedForm(pair, closed).lower - targetDistance;
    gap.hasNormal = true;
    transform(pair.rotationA, closed.normal, normal);
    return 1;
  }
  gjk(pair, Infinity, -1, guess, search);
  storeGuess(search.simplex, guess);
  gap.hasNormal = search.state === GJK_CONVERGED || search.state === GJK_STALLED;
  gap.separation = gap.hasNormal ? search.lower - targetDistance : -targetDistance;
  if (gap.hasNormal) {
    transform(pair.rotationA, search.normal, normal);
  } else if (progress.state === TOUCHING && length(progress.touchNormal) > 0) {
    transformBack(pair.rotationA, progress.touchNormal, towards);
    const support = differenceSupport(pair, scale(towards, -1, opposite), lowest);
    gap.separation = Math.min(dot(towards, support.position) - targetDistance, 0);
    gap.isTouch = gap.separation >= -touchTolerance;
  }
  return search.iterations;
}

/** What becomes of `TOUCHING` bodies: `TOUCHING`, `APPROACHING` or `MEETING`. */
function stateAfterTouch(isHalfspace: boolean, accepted: number, touchTolerance: number): number {
  const { separation, hasNormal, isTouch } = gap;
  // If cores without an inside pass through each other, the normal changes sides.
  const isThrough =
    !isHalfspace &&
    hasNormal &&
    separation <= 3 * touchTolerance &&
    dot(normal, progress.touchNormal) < MOTION_OPPOSITE;
  const isApart = separation > Math.max(accepted, touchTolerance) && !isThrough;
  if (isTouch || (!isApart && separation >= -touchTolerance && hasNormal && !isThrough)) return TOUCHING;
  return isApart ? APPROACHING : MEETING;
}

/**
 * Writes normal and point of rotating bodies that meet. Gives the speed at which their points close in along the
 * normal; `Infinity` if only the normal of the last touch is known.
 */
function storeContact(
  pair: Pair,
  { shapeA, shapeB, motion }: MovingBodies,
  targetDistance: number,
  result: ImpactResult,
): number {
  if (Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE) {
    copy(closed.normal, result.normal);
    touchPoint(pair, closed.onA, closed.onB, closed.normal, targetDistance, result.point);
    return -dot(result.normal, velocityAt(pair, motion, result.point, direction));
  }
  if (!gap.hasNormal) {
    // The points are found with the bodies apart along the last normal, which is the state OFFSETTING of the kernel.
    transformBack(pair.rotationA, progress.touchNormal, result.normal);
    const { x, y, z } = pair.translation;
    addScaled(pair.translation, result.normal, ADVANCE_OFFSET, pair.translation);
    gjk(pair, Infinity, -1, NO_GUESS, search);
    simplexWitness(pair, search.simplex, onA, onB);
    set(x, y, z, pair.translation);
    addScaled(onB, result.normal, -ADVANCE_OFFSET, onB);
    touchPoint(pair, onA, onB, result.normal, targetDistance, result.point);
    return Infinity;
  }
  simplexWitness(pair, search.simplex, onA, onB);
  touchPoint(pair, onA, onB, search.normal, targetDistance, result.point);
  copy(search.normal, result.normal);
  const speed = length(velocityAt(pair, motion, result.point, direction));
  if (speed === 0) return 0;
  scale(direction, 1 / speed, direction);
  found.distance = search.upper;
  scale(search.normal, search.upper, found.nearest);
  found.simplex = search.simplex;
  copy(search.normal, found.normal);
  const { touchTolerance } = motion;
  const { closing } = impactNormal(pair, shapeA, shapeB, { direction, targetDistance, touchTolerance }, found, cores);
  copy(found.normal, result.normal);
  return closing * speed;
}
