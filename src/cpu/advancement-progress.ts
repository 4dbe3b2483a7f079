/**
 * Mirror of shaders/advancement-progress.wgsl: state of conservative advancement, and transitions that change its time.
 */
import {
  ADVANCE_LEAVE_MOTION,
  ADVANCE_LEAVE_SHARE,
  ADVANCE_MAX_HALVINGS,
  ADVANCE_RETREAT_ULPS,
  ADVANCE_SKIP,
  APPROACHING,
  BISECTING,
  LEAVING,
  TOUCHING,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, copy, vec3 } from './math.ts';
import { type Motion, type MovingBodies, rotationReach, greatestSpeed } from './queries/motion.ts';

export interface Progress {
  /** One of the states from `APPROACHING` to `OFFSETTING`. */
  state: number;
  time: number;
  /** `LEAVING`, `TOUCHING`: how far time advances. */
  interval: number;
  /** Unit vector in world axes along which the bodies last touched, or zero, and the time of that, or -1. */
  touchNormal: Vec3;
  touchTime: number;
  /** After a step that was too long. */
  bracket: {
    /** The latest time at which the bodies were apart, and the earliest at which rounding had them overlap. */
    apart: number;
    overlap: number;
    /** How often the time between was halved, and how far time went back from the overlap. */
    halvings: number;
    retreat: number;
  };
  /** The last step while `APPROACHING`; of no length after a touch. */
  lastStep: {
    time: number;
    seconds: number;
    separation: number;
    /** In world axes. */
    normal: Vec3;
  };
}

export function createProgress(): Progress {
  return {
    state: APPROACHING,
    time: 0,
    interval: 0,
    touchNormal: vec3(),
    touchTime: -1,
    bracket: { apart: 0, overlap: 0, halvings: 0, retreat: 0 },
    lastStep: { time: 0, seconds: 0, separation: 1, normal: vec3() },
  };
}

/** `normal` is that of bodies that touch, or zero. */
export function startProgress(
  { shapeA, poseA, shapeB, poseB, motion }: MovingBodies,
  begin: number,
  normal: Vec3,
  isLeaving: boolean,
  progress: Progress,
): void {
  progress.state = isLeaving ? LEAVING : APPROACHING;
  progress.time = begin;
  progress.interval = isLeaving
    ? leavingInterval(motion, rotationReach(shapeA, poseA), rotationReach(shapeB, poseB))
    : 0;
  copy(normal, progress.touchNormal);
  progress.touchTime = -1;
  resetSteps(progress);
}

/** From the current time on. `normal` is in world axes. */
export function startTouching(progress: Progress, normal: Vec3): void {
  copy(normal, progress.touchNormal);
  progress.touchTime = progress.time;
  progress.state = TOUCHING;
  resetSteps(progress);
}

/** Time advances by a safe step, which is too short if it changes nothing. `normal` is in world axes. */
export function takeStep(progress: Progress, seconds: number, separation: number, normal: Vec3): void {
  const { lastStep, time } = progress;
  copy(normal, lastStep.normal);
  lastStep.seconds = seconds;
  lastStep.separation = separation;
  lastStep.time = time;
  progress.time = time + seconds;
  progress.state = progress.time === time ? BISECTING : APPROACHING;
}

function resetSteps({ bracket, lastStep }: Progress): void {
  bracket.apart = 0;
  bracket.overlap = 0;
  bracket.halvings = 0;
  bracket.retreat = 0;
  lastStep.seconds = 0;
}

/** The last step was as long as rounding allows, or longer: time goes back. */
export function stepBack(progress: Progress): void {
  const { bracket, lastStep, time } = progress;
  bracket.overlap = time;
  const middle = 0.5 * (bracket.apart + time);
  const isBetween = middle > bracket.apart && middle < time;
  if (bracket.halvings > 0 && bracket.halvings < ADVANCE_MAX_HALVINGS && isBetween) {
    bracket.halvings++;
    progress.time = middle;
  } else {
    bracket.retreat = Math.max(
      2 * bracket.retreat,
      (ADVANCE_RETREAT_ULPS * EPSILON * lastStep.seconds) / lastStep.separation,
    );
    progress.time = Math.max(time - bracket.retreat, lastStep.time);
  }
  progress.state = BISECTING;
}

/** If the bodies are apart, takes time to the middle of the bracket, and gives whether it has one. */
export function bisect(progress: Progress, separation: number, accepted: number): boolean {
  const { bracket, time } = progress;
  const middle = 0.5 * (time + bracket.overlap);
  const isBetween = middle > time && middle < bracket.overlap;
  if (separation <= accepted || !isBetween || bracket.halvings >= ADVANCE_MAX_HALVINGS) return false;
  bracket.halvings++;
  bracket.apart = time;
  progress.time = middle;
  return true;
}

/** The interval after which `LEAVING` bodies are looked at again. */
function leavingInterval(motion: Motion, extentA: number, extentB: number): number {
  const byMotion = (ADVANCE_LEAVE_MOTION * (extentA + extentB)) / greatestSpeed(motion, extentA, extentB);
  return Math.max(byMotion, ADVANCE_LEAVE_SHARE * motion.duration);
}

/** The first interval after which `TOUCHING` bodies are looked at again. They can't have come much deeper by then. */
export function touchInterval(motion: Motion, extentA: number, extentB: number): number {
  return (ADVANCE_SKIP * motion.touchTolerance * (extentA + extentB)) / greatestSpeed(motion, extentA, extentB);
}
