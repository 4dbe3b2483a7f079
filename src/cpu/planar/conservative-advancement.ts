/**
 * Mirror of shaders/planar/conservative-advancement.wgsl: when two rotating bodies in 2-D meet, by conservative
 * advancement.
 */
import {
  ADVANCE_LEAVE_MOTION,
  ADVANCE_LEAVE_SHARE,
  ADVANCE_STEEP,
  MOTION_OPPOSITE,
  PLANAR_ADVANCE_LEAST_OVERLAP,
  PLANAR_ADVANCE_MAX_ITERATIONS,
  PLANAR_ADVANCE_OVERLAP_STEP,
  PLANAR_APPROACHING,
  PLANAR_IMPACT_MET,
  PLANAR_IMPACT_NONE,
  PLANAR_IMPACT_OPEN,
  PLANAR_LEAVING,
  PLANAR_MEETING,
  PLANAR_STAGE_SAT,
  PLANAR_TOUCHING,
  UNBOUNDED,
} from '../../generated/constants.ts';
import { createTouch, impactNormal } from './impact-normal.ts';
import { type ImpactResult, standTouch, touchPoint } from './impact.ts';
import { type Vec2, copy, dot, length, rotate, rotateBack, scale, set, setRotation, vec2 } from './math.ts';
import { type PlanarPair, toWorld } from './pair.ts';
import { createAnswer, signedDistance } from './queries/signed-distance.ts';
import {
  type MovingBodies,
  type PlanarMotion,
  greatestSpeed,
  pairAt,
  relativeVelocity,
  touchToleranceOf,
} from './queries/motion.ts';
import { recorder } from './recorder.ts';
import { longestStep } from './safe-step.ts';

const progress = {
  /** One of the states from `PLANAR_APPROACHING` to `PLANAR_MEETING`. */
  state: PLANAR_APPROACHING,
  time: 0,
  /** The last times at which the bodies were apart, and touched. */
  apartTime: 0,
  touchTime: 0,
  /** In world axes: the normal at `apartTime`, and that of the last step as it has rotated. */
  apartNormal: vec2(),
  stepNormal: vec2(),
  /** Overlap beyond which a touch was an impact, as a share of the touch tolerance. */
  mostOverlap: 0,
};

const stand = createAnswer();
const touching = createTouch();
const normal = vec2();
const rotation = vec2();
const velocity = vec2();
const before = vec2();

/**
 * From time 0 on. `size`: the sum of the bounding radii. `isLeaving`: the bodies overlap and part; the result is the
 * impact after they have come apart. Gives the time of impact, or a bound, and leaves the pair as it is then.
 */
export function conservativeAdvancement(
  pair: PlanarPair,
  bodies: MovingBodies,
  size: number,
  isLeaving: boolean,
  result: ImpactResult,
): number {
  const { motion } = bodies;
  const { duration } = motion;
  const speed = greatestSpeed(motion, size);
  progress.state = isLeaving ? PLANAR_LEAVING : PLANAR_APPROACHING;
  progress.time = 0;
  progress.apartTime = 0;
  progress.touchTime = 0;
  progress.mostOverlap = PLANAR_ADVANCE_LEAST_OVERLAP;
  set(0, 0, progress.apartNormal);
  result.state = PLANAR_IMPACT_OPEN;
  for (let i = 0; i < PLANAR_ADVANCE_MAX_ITERATIONS; i++) {
    const { time } = progress;
    pairAt(bodies, time, pair);
    const margin = motion.margin / pair.unit;
    const touchTolerance = touchToleranceOf(motion.touchTolerance, size / pair.unit);
    signedDistance(pair, UNBOUNDED, PLANAR_STAGE_SAT, 0, stand);
    const separation = stand.lower - margin;
    toWorld(pair, stand.normal, normal);
    if (recorder) recorder.advance(pair, motion.began + time, separation, normal, progress.state);
    result.iterations += stand.iterations;
    copy(stand.normal, result.normal);
    if (progress.state === PLANAR_LEAVING) {
      if (separation <= touchTolerance) {
        if (time >= duration) return end(result, PLANAR_IMPACT_NONE);
        const interval = Math.max((ADVANCE_LEAVE_MOTION * size) / speed, ADVANCE_LEAVE_SHARE * duration);
        progress.time = Math.min(time + interval, duration);
        continue;
      }
      progress.state = PLANAR_APPROACHING;
    }
    const isMeeting = progress.state === PLANAR_MEETING;
    if (isMeeting || (progress.state === PLANAR_APPROACHING && Math.abs(separation) <= touchTolerance)) {
      touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin, result.point);
      const closing = rotatingImpactNormal(pair, motion, margin, touchTolerance, result.point, result.normal);
      if (isMeeting) return end(result, PLANAR_IMPACT_MET);
      if (closing * pair.unit > ADVANCE_STEEP * speed) {
        progress.time = Math.min(time + Math.max(separation, 0) / closing, duration);
        progress.state = PLANAR_MEETING;
        continue;
      }
    }
    if (i === 0) {
      // Bodies that overlap at the start may overlap by more.
      const most = Math.max(PLANAR_ADVANCE_OVERLAP_STEP - separation / touchTolerance, PLANAR_ADVANCE_LEAST_OVERLAP);
      progress.mostOverlap = Math.min(most, 1);
    }
    // If cores without an inside pass through each other, the normal changes sides.
    const isThrough =
      progress.state === PLANAR_TOUCHING &&
      separation <= 3 * touchTolerance &&
      dot(normal, progress.stepNormal) < MOTION_OPPOSITE;
    if (separation < -progress.mostOverlap * touchTolerance || isThrough) {
      goBack();
      continue;
    }
    noteSeparation(separation <= touchTolerance);
    const isTouching = progress.state === PLANAR_TOUCHING;
    const most = duration - time;
    const overlap = isTouching ? (progress.mostOverlap + PLANAR_ADVANCE_OVERLAP_STEP) * touchTolerance : 0;
    const targetDistance = pair.radiusA + pair.radiusB + margin - overlap;
    const step = longestStep(pair, motion, stand, isTouching, targetDistance, most);
    if (step.seconds >= most) return end(result, PLANAR_IMPACT_NONE);
    // The numbers are too large for a bound.
    if (!(step.seconds > 0)) break;
    if (time + step.seconds === time) progress.state = PLANAR_MEETING;
    rotate(setRotation(step.turn * step.seconds, rotation), normal, progress.stepNormal);
    progress.time = time + step.seconds;
  }
  return progress.time;
}

function end(result: ImpactResult, state: number): number {
  result.state = state;
  return progress.time;
}

/** The bodies are apart, or touch. */
function noteSeparation(isTouching: boolean): void {
  if (isTouching) {
    progress.state = PLANAR_TOUCHING;
    progress.touchTime = progress.time;
  } else {
    progress.state = PLANAR_APPROACHING;
    progress.apartTime = progress.time;
    copy(normal, progress.apartNormal);
  }
}

/** The bodies overlap by too much: they met where they touched, or rounding made the step too long. */
function goBack(): void {
  const { time, apartTime } = progress;
  const middle = 0.5 * (apartTime + time);
  if (progress.state === PLANAR_TOUCHING) {
    progress.time = progress.touchTime;
    progress.state = PLANAR_MEETING;
  } else if (middle > apartTime && middle < time) {
    progress.time = middle;
  } else {
    progress.time = apartTime;
    progress.state = PLANAR_MEETING;
  }
}

/**
 * Writes the normal along which rotating bodies meet, from the relative velocity of their points. Gives the speed at
 * which they close in along it, in the pair's unit.
 */
function rotatingImpactNormal(
  pair: PlanarPair,
  motion: PlanarMotion,
  margin: number,
  touchTolerance: number,
  point: Vec2,
  to: Vec2,
): number {
  relativeVelocity(pair, motion, point, point, velocity);
  const speed = length(velocity);
  if (speed === 0) return 0;
  const targetDistance = pair.radiusA + pair.radiusB + margin;
  standTouch(stand, touching);
  rotateBack(pair.rotationA, progress.apartNormal, before);
  // At the end of a thin body the far side may be as near.
  if (dot(touching.normal, velocity) > 0 && dot(before, velocity) < 0) {
    copy(before, touching.normal);
    copy(before, touching.direction);
  }
  touching.wereApart = true;
  scale(velocity, 1 / speed, velocity);
  const face = impactNormal(pair, velocity, 0, targetDistance, touchTolerance, touching);
  copy(face.normal, to);
  return face.closing * speed;
}
