// State of conservative advancement (conservative-advancement.wgsl), and the transitions that change its time.

import package::shared::constants::{
  ADVANCE_LEAVE_MOTION, ADVANCE_LEAVE_SHARE, ADVANCE_MAX_HALVINGS, ADVANCE_RETREAT_ULPS, ADVANCE_SKIP
};
import package::shared::math::{EPSILON};
import package::queries::impacts::motion::{Motion, MovingBodies, rotationReach, greatestSpeed};

const APPROACHING: u32 = 0u;
// The bodies overlap at the start and part.
const LEAVING: u32 = 1u;
const TOUCHING: u32 = 2u;
// The impact is within what f32 resolves, or between the times of the bracket.
const BISECTING: u32 = 3u;
// The bodies overlap after the touch at this time.
const MEETING: u32 = 4u;
// The points of the impact are found with the bodies apart along the last normal.
const OFFSETTING: u32 = 5u;

// After a step that was too long.
struct Bracket {
  // The latest time at which the bodies were apart, and the earliest at which rounding had them overlap.
  apart: f32,
  overlap: f32,
  // How often the time between was halved, and how far time went back from the overlap.
  halvings: u32,
  retreat: f32,
}

// The last step while APPROACHING; of no length after a touch.
struct LastStep {
  time: f32,
  seconds: f32,
  separation: f32,
  // In world axes.
  normal: vec3f,
}

struct Progress {
  state: u32,
  time: f32,
  // LEAVING, TOUCHING: how far time advances.
  interval: f32,
  // Unit vector in world axes along which the bodies last touched, or zero; the time of that, or -1, and the point.
  touchNormal: vec3f,
  touchTime: f32,
  touchPoint: vec3f,
  bracket: Bracket,
  lastStep: LastStep,
}

// `normal` is that of bodies that touch, or zero.
fn startProgress(bodies: MovingBodies, begin: f32, normal: vec3f, isLeaving: bool) -> Progress {
  var progress: Progress;
  progress.state = APPROACHING;
  if (isLeaving) {
    progress.state = LEAVING;
    progress.interval = leavingInterval(
      bodies.motion, rotationReach(bodies.shapeA, bodies.poseA), rotationReach(bodies.shapeB, bodies.poseB)
    );
  }
  progress.time = begin;
  progress.touchNormal = normal;
  progress.touchTime = -1.0;
  return progress;
}

// From the current time on. Bodies without a normal keep that of the last touch.
fn startTouching(progress: ptr<function, Progress>, hasNormal: bool, normal: vec3f, point: vec3f) {
  if (hasNormal) {
    (*progress).touchNormal = normal;
    (*progress).touchTime = (*progress).time;
    (*progress).touchPoint = point;
  }
  (*progress).state = TOUCHING;
  (*progress).bracket = Bracket(0.0, 0.0, 0u, 0.0);
  (*progress).lastStep.seconds = 0.0;
}

// Time advances by a safe step, which is too short for f32 if it changes nothing. `normal` is in world axes.
fn takeStep(progress: ptr<function, Progress>, seconds: f32, separation: f32, normal: vec3f) {
  let time = (*progress).time;
  let later = time + seconds;
  (*progress).lastStep = LastStep(time, seconds, separation, normal);
  (*progress).state = select(APPROACHING, BISECTING, later == time);
  (*progress).time = later;
}

// The last step was as long as rounding allows, or longer: time goes back.
fn stepBack(progress: ptr<function, Progress>) {
  var bracket = (*progress).bracket;
  let step = (*progress).lastStep;
  bracket.overlap = (*progress).time;
  let middle = 0.5 * (bracket.apart + bracket.overlap);
  let isBetween = middle > bracket.apart && middle < bracket.overlap;
  if (bracket.halvings > 0u && bracket.halvings < ADVANCE_MAX_HALVINGS && isBetween) {
    bracket.halvings += 1u;
    (*progress).time = middle;
  } else {
    bracket.retreat = max(2.0 * bracket.retreat, ADVANCE_RETREAT_ULPS * EPSILON * step.seconds / step.separation);
    (*progress).time = max((*progress).time - bracket.retreat, step.time);
  }
  (*progress).bracket = bracket;
  (*progress).state = BISECTING;
}

// If the bodies are apart, takes time to the middle of the bracket, and gives whether it has one.
fn bisect(progress: ptr<function, Progress>, separation: f32, accepted: f32) -> bool {
  let bracket = (*progress).bracket;
  let time = (*progress).time;
  let middle = 0.5 * (time + bracket.overlap);
  let isBetween = middle > time && middle < bracket.overlap;
  if (separation <= accepted || !isBetween || bracket.halvings >= ADVANCE_MAX_HALVINGS) {
    return false;
  }
  (*progress).bracket.halvings += 1u;
  (*progress).bracket.apart = time;
  (*progress).time = middle;
  return true;
}

// The interval after which LEAVING bodies are looked at again.
fn leavingInterval(motion: Motion, extentA: f32, extentB: f32) -> f32 {
  let byMotion = ADVANCE_LEAVE_MOTION * (extentA + extentB) / max(greatestSpeed(motion, extentA, extentB), 1e-30);
  return max(byMotion, ADVANCE_LEAVE_SHARE * motion.duration);
}

// The first interval after which TOUCHING bodies are looked at again. They can't have come much deeper by then.
fn touchInterval(motion: Motion, touchTolerance: f32, extentA: f32, extentB: f32) -> f32 {
  return ADVANCE_SKIP * touchTolerance * (extentA + extentB) / max(greatestSpeed(motion, extentA, extentB), 1e-30);
}
