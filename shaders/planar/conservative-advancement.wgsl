// When two rotating bodies in 2-D meet: conservative advancement, Mirtich, "Impulse-based Dynamic Simulation of
// Rigid Body Systems" (1996), section 2.3: time advances by steps in which the bodies can't come closer than they are
// apart.
//
// As shaders/conservative-advancement.wgsl, with two departures. In 2-D, the signed distance of overlapping bodies is
// known. So bodies that touch go on until they part, or until they overlap by most of the touch tolerance. The touch
// was an impact only if they overlap by more than half of the tolerance then: this leaves the rest for the next body in
// a line. And the best rotation of the normal is known: that of the edge that the other body is over, or that of the
// line through two corners.
//
// States. Each pass finds the signed distance at one time and acts by the state:
//
//     LEAVING      --- apart ------------------------> APPROACHING
//                  --- overlap until the end --------> IMPACT_NONE
//     APPROACHING  --- the safe step goes to the end-> IMPACT_NONE
//                  --- touch, closing in ------------> MEETING, after the gap that is left
//                  --- touch, parting or sliding ----> TOUCHING
//                  --- overlap ----------------------> halfway back, or MEETING where they were last apart
//     TOUCHING     --- the safe step goes to the end-> IMPACT_NONE
//                  --- apart ------------------------> APPROACHING
//                  --- overlap ----------------------> MEETING, at the last time of touch
//     either       --- the step is too short for f32-> MEETING
//     MEETING      ----------------------------------> IMPACT_MET
//
// In kernels over pairs of parts, a surface may not have the impact. The bodies then pass
// (part-pairs/surface/passing.wgsl).

import package::shared::constants::{
  ADVANCE_LEAVE_MOTION, ADVANCE_LEAVE_SHARE, ADVANCE_STEEP, MOTION_OPPOSITE, PLANAR_ADVANCE_MAX_ITERATIONS, UNBOUNDED
};
import package::shared::math::{EPSILON, cosineAndSine};
import package::part-pairs::surface::passing::{
  PassedGap, Passing, beginPassing, isOn, passOn, startPassing, PASSING_FALL, PASSING_FALLEN, PASSING_MOST_LOOKS,
  PASSING_NOT, PASSING_TURN, PASSING_ULPS, PASSING_WAY
};
import package::planar::impact-normal::{ImpactNormal, impactNormal};
import package::planar::impact::{standTouch, touchPoint, PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, PLANAR_IMPACT_OPEN};
import package::planar::math::{rotate, rotateBack};
import package::planar::pair::{PlanarPair, toWorld};
import package::planar::queries::signed-distance::{Answer, signedDistance, PLANAR_STAGE_SAT};
import package::planar::queries::impacts::motion::{
  PlanarMotion, greatestSpeed, pairAt, relativeVelocity, touchToleranceOf
};
import package::planar::safe-step::{longestStep};
import package::planar::shapes::{SpecialisedShape, PlanarPose};
import package::planar::touched-surface::{TouchedSurface, judgedTouch, JUDGES};

const PLANAR_APPROACHING: u32 = 0u;
// The bodies overlap at the start and part.
const PLANAR_LEAVING: u32 = 1u;
const PLANAR_TOUCHING: u32 = 2u;
// The time of impact is known.
const PLANAR_MEETING: u32 = 3u;

struct AdvancementResult {
  // One of the PLANAR_IMPACT_ states.
  state: u32,
  iterations: u32,
  // The time of the impact, or a bound of it.
  time: f32,
  // The bodies at that time. Normal and point are in A's frame.
  pair: PlanarPair,
  normal: vec2f,
  point: vec2f,
}

struct Progress {
  state: u32,
  time: f32,
  // The last times at which the bodies were apart, and touched.
  apartTime: f32,
  touchTime: f32,
  // In world axes: the normal at `apartTime`, and that of the last step as it has rotated.
  apartNormal: vec2f,
  stepNormal: vec2f,
  // Overlap beyond which a touch was an impact, as a share of the touch tolerance.
  mostOverlap: f32,
}

// Shares of the touch tolerance: the overlap of bodies that pass, and how much more a step may reach.
const PLANAR_ADVANCE_LEAST_OVERLAP: f32 = 0.5;
const PLANAR_ADVANCE_OVERLAP_STEP: f32 = 0.25;

// From time 0 on. `size`: the sum of the bounding radii. `isLeaving`: the bodies overlap and part; the result is the
// impact after they have come apart. `passes`: they pass each other at the start.
fn conservativeAdvancement(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, motion: PlanarMotion,
  size: f32, isLeaving: bool, passes: bool, touched: TouchedSurface
) -> AdvancementResult {
  let speed = greatestSpeed(motion, size);
  var progress: Progress;
  progress.state = select(PLANAR_APPROACHING, PLANAR_LEAVING, isLeaving && !passes);
  progress.mostOverlap = PLANAR_ADVANCE_LEAST_OVERLAP;
  var result: AdvancementResult;
  result.state = PLANAR_IMPACT_OPEN;
  var passing = startPassing(0.0, passes);
  let mostSteps = select(PLANAR_ADVANCE_MAX_ITERATIONS, PASSING_MOST_LOOKS, JUDGES && touched.judges);
  for (var i = 0u; i < mostSteps; i++) {
    let time = progress.time;
    let pair = pairAt(shapeA, poseA, shapeB, poseB, motion, time);
    let margin = motion.margin / pair.unit;
    let touchTolerance = touchToleranceOf(size / pair.unit);
    let stand = signedDistance(pair, UNBOUNDED, PLANAR_STAGE_SAT, 0u);
    let separation = stand.lower - margin;
    let normal = toWorld(pair, stand.normal);
    result.iterations += stand.iterations;
    result.pair = pair;
    result.normal = stand.normal;
    let isPassing = JUDGES && passing.state != PASSING_NOT;
    if (progress.state == PLANAR_LEAVING && !isPassing) {
      if (separation <= touchTolerance) {
        if (time >= motion.duration) {
          result.state = PLANAR_IMPACT_NONE;
          break;
        }
        let interval = max(ADVANCE_LEAVE_MOTION * size / speed, ADVANCE_LEAVE_SHARE * motion.duration);
        progress.time = min(time + interval, motion.duration);
        continue;
      }
      progress.state = PLANAR_APPROACHING;
    }
    let isMeeting = progress.state == PLANAR_MEETING && !isPassing;
    let isNear = progress.state == PLANAR_APPROACHING && abs(separation) <= touchTolerance && !isPassing;
    if (isMeeting || isNear) {
      result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin);
      let face = rotatingImpactNormal(pair, motion, stand, progress.apartNormal, margin, touchTolerance, result.point);
      result.normal = face.normal;
      if (!isMeeting && face.closing * pair.unit > ADVANCE_STEEP * speed) {
        progress.time = min(time + max(separation, 0.0) / face.closing, motion.duration);
        progress.state = PLANAR_MEETING;
        continue;
      }
    }
    if (isMeeting || isPassing) {
      var distance = margin;
      if (isPassing) {
        distance = stand.lower;
        result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + distance);
      }
      if (isSettled(motion, touched, size, distance, &progress, &passing, &result)) {
        break;
      }
      continue;
    }
    if (i == 0u) {
      // Bodies that overlap at the start may overlap by more.
      progress.mostOverlap =
          clamp(PLANAR_ADVANCE_OVERLAP_STEP - separation / touchTolerance, PLANAR_ADVANCE_LEAST_OVERLAP, 1.0);
    }
    // If cores without an inside pass through each other, the normal changes sides.
    let isThrough = progress.state == PLANAR_TOUCHING && separation <= 3.0 * touchTolerance &&
        dot(normal, progress.stepNormal) < MOTION_OPPOSITE;
    if (separation < -progress.mostOverlap * touchTolerance || isThrough) {
      goBack(&progress);
      continue;
    }
    noteSeparation(&progress, separation <= touchTolerance, normal);
    let isTouching = progress.state == PLANAR_TOUCHING;
    let most = motion.duration - time;
    let overlap = select(0.0, (progress.mostOverlap + PLANAR_ADVANCE_OVERLAP_STEP) * touchTolerance, isTouching);
    let targetDistance = pair.radiusA + pair.radiusB + margin - overlap;
    let step = longestStep(pair, motion, stand, isTouching, targetDistance, most);
    if (step.seconds >= most) {
      result.state = PLANAR_IMPACT_NONE;
      break;
    }
    if (!(step.seconds > 0.0)) {
      // The numbers are too large for a bound.
      break;
    }
    if (time + step.seconds == time) {
      progress.state = PLANAR_MEETING;
    }
    progress.stepNormal = rotate(cosineAndSine(step.turn * step.seconds), normal);
    progress.time = time + step.seconds;
  }
  result.time = progress.time;
  return result;
}

// Whether the contact in `result`, at a distance in the pair's unit, is an impact or the end of the motion. If not, the
// bodies pass, and time goes on.
fn isSettled(
  motion: PlanarMotion, touched: TouchedSurface, size: f32, distance: f32, progress: ptr<function, Progress>,
  passing: ptr<function, Passing>, result: ptr<function, AdvancementResult>
) -> bool {
  let pair = (*result).pair;
  let isPassing = (*passing).state != PASSING_NOT;
  if (!(JUDGES && touched.judges)) {
    (*result).state = PLANAR_IMPACT_MET;
    return true;
  }
  let judged = judgedTouch(touched, pair, (*result).normal, (*result).point, distance);
  if ((*passing).state == PASSING_FALLEN || !(isPassing || judged.isReplaced)) {
    (*result).normal = judged.normal;
    (*result).state = PLANAR_IMPACT_MET;
    return true;
  }
  (*progress).state = PLANAR_APPROACHING;
  let time = (*progress).time;
  if (!isPassing) {
    *passing = beginPassing(time);
    return false;
  }
  let fall = PASSING_FALL * touched.size + EPSILON * (PASSING_ULPS * pair.unit + turnedBy(motion, time) * size);
  let most = motion.margin + max(fall, touchToleranceOf(size / pair.unit) * pair.unit);
  let height = pair.unit * select(distance, -judged.below, judged.isReplaced);
  let gap = PassedGap(distance * pair.unit > most, judged.face, height, judged.isBehind);
  let next = passOn(passing, gap, fall, time, passingInterval(motion, touched.size));
  (*progress).time = min(next, motion.duration);
  if (isOn((*passing).state) && time >= motion.duration) {
    (*result).state = PLANAR_IMPACT_NONE;
    return true;
  }
  return false;
}

// Radians by which both bodies have turned, for the rounding of their places.
fn turnedBy(motion: PlanarMotion, time: f32) -> f32 {
  return (abs(motion.angularVelocityA) + abs(motion.angularVelocityB)) * (motion.began + time);
}

// Between two looks at bodies that pass each other. `size`: of the body that is not the surface's.
fn passingInterval(motion: PlanarMotion, size: f32) -> f32 {
  let turning = abs(motion.angularVelocityA) + abs(motion.angularVelocityB);
  return 1.0 / max(turning / PASSING_TURN + length(motion.velocity) / (PASSING_WAY * size), 1e-30);
}

// The bodies are apart, or touch.
fn noteSeparation(progress: ptr<function, Progress>, isTouching: bool, normal: vec2f) {
  let time = (*progress).time;
  if (isTouching) {
    (*progress).state = PLANAR_TOUCHING;
    (*progress).touchTime = time;
  } else {
    (*progress).state = PLANAR_APPROACHING;
    (*progress).apartTime = time;
    (*progress).apartNormal = normal;
  }
}

// The bodies overlap by too much: they met where they touched, or rounding made the step too long.
fn goBack(progress: ptr<function, Progress>) {
  let time = (*progress).time;
  let apartTime = (*progress).apartTime;
  let middle = 0.5 * (apartTime + time);
  if ((*progress).state == PLANAR_TOUCHING) {
    (*progress).time = (*progress).touchTime;
    (*progress).state = PLANAR_MEETING;
  } else if (middle > apartTime && middle < time) {
    (*progress).time = middle;
  } else {
    (*progress).time = apartTime;
    (*progress).state = PLANAR_MEETING;
  }
}

// The normal along which rotating bodies meet, from the relative velocity of their points, and the speed at which they
// close in along it, in the pair's unit. `apartNormal`: that of where they were last apart, in world axes, or zero.
fn rotatingImpactNormal(
  pair: PlanarPair, motion: PlanarMotion, stand: Answer, apartNormal: vec2f, margin: f32, touchTolerance: f32,
  point: vec2f
) -> ImpactNormal {
  let velocity = relativeVelocity(pair, motion, point, point);
  let speed = length(velocity);
  if (speed == 0.0) {
    return ImpactNormal(stand.normal, 0.0, true);
  }
  var touching = standTouch(stand);
  let before = rotateBack(pair.rotationA, apartNormal);
  // At the end of a thin body the far side may be as near.
  if (dot(touching.normal, velocity) > 0.0 && dot(before, velocity) < 0.0) {
    touching.normal = before;
    touching.direction = before;
  }
  let targetDistance = pair.radiusA + pair.radiusB + margin;
  var face = impactNormal(pair, velocity / speed, 0.0, targetDistance, touchTolerance, touching, true);
  face.closing *= speed;
  return face;
}
