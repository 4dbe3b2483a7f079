// When two rotating bodies meet: conservative advancement, Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
// Systems" (1996), section 2.3: time advances by steps in which the bodies can't come closer than they are apart.
//
// Departures: the length of a step follows from supports along the separating normal and from a bound of accelerations
// (safe-step.wgsl), not only from the bodies' radii. The normal may rotate with either body, or as it did on the last
// step. Near the impact these are Newton steps, which converge quadratically.
//
// States. Each pass finds the separation at one time, with GJK from the last simplex, and acts by the state:
//
//     LEAVING      --- apart ------------------------------> APPROACHING
//                  --- overlap until the end --------------> IMPACT_NONE
//     APPROACHING  --- the safe step lasts to the end -----> IMPACT_NONE
//                  --- the step is too short for f32 ------> BISECTING
//                  --- the step ended in overlap ----------> BISECTING, at a time between
//                  --- no separation ----------------------> a contact
//     BISECTING    --- the bracket is as small as can be --> a contact
//     a contact    --- the bodies close in ----------------> IMPACT_MET
//                  --- they part or slide -----------------> TOUCHING
//                  --- no normal now, but at a touch ------> OFFSETTING
//     TOUCHING     --- apart ------------------------------> APPROACHING
//                  --- touch until the end ----------------> IMPACT_NONE
//                  --- overlap ----------------------------> MEETING, at the time of the touch
//     MEETING, OFFSETTING ---------------------------------> IMPACT_MET
//
// TOUCHING bodies are looked at again at times that double. So bodies that hardly rotate pass, as bodies that don't
// rotate at all do.
//
// In kernels over pairs of parts, a surface judges each contact with IMPACT_MET in the round after it. If it does not
// accept it, the bodies pass (part-pairs/surface/passing.wgsl).

import package::shared::constants::{
  ADVANCE_MAX_ITERATIONS, ADVANCE_MOST_TURN, ADVANCE_OFFSET, ADVANCE_STEEP, MOTION_OPPOSITE
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair, fromWorld, makePair, toWorld};
import package::shared::shapes::{CORE_HALFSPACE};
import package::shared::support-in-loop::{supportInLoop};
import package::queries::pair-unit::{acceptedGap};
import package::queries::surface::{Surface};
import package::queries::witness::{simplexWitness};
import package::queries::impacts::motion::{
  Motion, MovingBodies, rotationReach, greatestSpeed, poseAt, touchToleranceOf, velocityAt
};
import package::advancement-progress::{
  LastStep, Progress, bisect, startProgress, startTouching, stepBack, takeStep, touchInterval,
  APPROACHING, BISECTING, LEAVING, MEETING, OFFSETTING, TOUCHING
};
import package::cast::{CastResult};
import package::closed-form::{closedForm};
import package::impact-normal::{impactNormal};
import package::gjk::{Guess, GjkResult, gjk, NO_GUESS, NO_ID, GJK_CONVERGED, GJK_STALLED};
import package::impact::{touchPoint, IMPACT_MET, IMPACT_NONE, IMPACT_OPEN};
import package::part-pairs::surface::passing::{
  PassedGap, Passing, beginPassing, isOn, passOn, startPassing, PASSING_FALL, PASSING_FALLEN, PASSING_MOST_LOOKS,
  PASSING_BEGINS, PASSING_NOT, PASSING_TURN, PASSING_ULPS, PASSING_WAY
};
import package::safe-step::{edgeTurn, longestStep};
import package::simplex::{Simplex};
import package::touched-surface::{TouchedSurface, fromSurface, judgedTouch, toSurface, JUDGES};

// The bodies at a time.
struct Gap {
  iterations: u32,
  // Lower bound of the distance beyond the target distance.
  separation: f32,
  // Overlapping cores, and cores that touch to rounding, have no normal.
  hasNormal: bool,
  normal: vec3f,
  // To rounding the bodies overlap, and along the normal of the touch by no more than the tolerance.
  isTouch: bool,
  search: GjkResult,
  // Points of a half-space and a core.
  cores: Surface,
}

struct AdvancementResult {
  // One of the IMPACT_ states.
  state: u32,
  iterations: u32,
  // The time of the impact, or a bound of it.
  time: f32,
  // The bodies at that time.
  pair: Pair,
  // Whether `normal` and `point` are set, in A's frame. For bodies that touch at the start they may not be.
  hasNormal: bool,
  normal: vec3f,
  point: vec3f,
}

// From `begin` on, in seconds after the start of the motion. `isTouching`: the bodies touch then, with `normal` in
// world axes, and part or slide along each other, or seem to. `isLeaving`: they overlap then and part; the result is
// the impact after they have come apart. `passes`: they overlap then and pass each other.
fn conservativeAdvancement(
  bodies: MovingBodies, begin: f32, isTouching: bool, isLeaving: bool, passes: bool, normal: vec3f,
  touched: TouchedSurface
) -> AdvancementResult {
  let motion = bodies.motion;
  let isHalfspace = max(bodies.shapeA.kind, bodies.shapeB.kind) == CORE_HALFSPACE;
  let extentA = rotationReach(bodies.shapeA, bodies.poseA);
  let extentB = rotationReach(bodies.shapeB, bodies.poseB);
  let mostInterval = ADVANCE_MOST_TURN / max(length(motion.angularVelocityA) + length(motion.angularVelocityB), 1e-30);
  var guess = NO_GUESS;
  var result: AdvancementResult;
  result.state = IMPACT_OPEN;
  var progress = startProgress(bodies, begin, normal, isLeaving);
  var passing = startPassing(begin, passes);
  var distance = 0.0; // between the bodies, in the pair's unit
  let isJudged = JUDGES && touched.judges;
  var i = 0u;
  for (; i < mostRounds(isJudged) && (isJudged || result.state != IMPACT_MET); i++) {
    let before = progress.time;
    progress.time = min(progress.time + progress.interval, motion.duration);
    let offset = motion.offset + motion.velocity * progress.time;
    let pair = pairAt(bodies, progress.time, offset);
    result.pair = pair;
    if (result.state == IMPACT_MET) {
      if (isSettled(bodies, touched, distance, &progress, &passing, &result)) {
        break;
      }
      continue;
    }
    distance = motion.margin / pair.unit;
    if (progress.state == MEETING && progress.touchTime >= 0.0) {
      meetAt(fromWorld(pair, progress.touchNormal), progress.touchPoint, &result);
      continue;
    }
    let targetDistance = pair.radiusA + pair.radiusB + distance;
    let accepted = 0.5 * acceptedGap(pair);
    let touchTolerance = touchToleranceOf(pair);
    let gap = gapOf(pair, progress, passing, touched, isHalfspace, targetDistance, guess);
    result.iterations += gap.iterations;
    if (progress.state == OFFSETTING) {
      let along = fromWorld(pair, progress.touchNormal);
      meetAt(along, touchPoint(pair, offsetWitness(pair, gap.search, along), along, targetDistance), &result);
      continue;
    }
    guess = guessOf(gap.search.simplex);
    result.hasNormal = gap.hasNormal;
    if (JUDGES && passing.state != PASSING_NOT) {
      distance += gap.separation;
      storePassed(pair, gap, gap.separation + targetDistance, touched, &progress, &result);
      continue;
    }
    if (gap.hasNormal) {
      result.normal = gap.normal;
    } else if (progress.lastStep.seconds > 0.0 && progress.time > progress.lastStep.time) {
      stepBack(&progress);
      continue;
    }
    if (i == 0u && isTouching) {
      progress.state = TOUCHING;
      progress.interval = touchInterval(motion, touchTolerance, extentA, extentB);
      continue;
    }
    if (waits(pair, gap, isHalfspace, before, mostInterval, &progress)) {
      if (progress.state != MEETING && progress.time >= motion.duration) {
        result.state = IMPACT_NONE;
        break;
      }
      continue;
    }
    if (progress.state == BISECTING && bisect(&progress, gap.separation, accepted)) {
      continue;
    }
    if (gap.separation <= accepted || progress.state == MEETING || progress.state == BISECTING) {
      if (!gap.hasNormal && any(progress.touchNormal != vec3f(0.0))) {
        progress.state = OFFSETTING;
        continue;
      }
      let closing = storeContact(pair, bodies, offset, targetDistance, gap, &result);
      if (progress.state == MEETING || closing > ADVANCE_STEEP * greatestSpeed(motion, extentA, extentB)) {
        result.state = IMPACT_MET;
        continue;
      }
      // They may part, or slide along each other.
      startTouching(&progress, gap.hasNormal, toWorld(pair, result.normal), result.point);
      progress.interval = min(touchInterval(motion, touchTolerance, extentA, extentB), mostInterval);
      continue;
    }
    let most = motion.duration - progress.time;
    let turn = normalTurn(pair, motion, gap, progress.lastStep, progress.time);
    let step = longestStep(pair, motion, offset, gap.normal, turn, extentA, extentB, targetDistance, most);
    // Where the numbers are too large for a bound there is no step.
    if (step >= most || !(step > 0.0)) {
      result.state = select(IMPACT_OPEN, IMPACT_NONE, step >= most);
      break;
    }
    takeStep(&progress, step, gap.separation, toWorld(pair, gap.normal));
  }
  return ended(result, progress.time, isJudged && i == mostRounds(isJudged));
}

// A contact that is judged takes two rounds.
fn mostRounds(isJudged: bool) -> u32 {
  return select(ADVANCE_MAX_ITERATIONS, 2u * PASSING_MOST_LOOKS, isJudged);
}

// `isCut`: the last round may have left a contact to be judged.
fn ended(result: AdvancementResult, time: f32, isCut: bool) -> AdvancementResult {
  var to = result;
  to.time = time;
  to.state = select(result.state, IMPACT_OPEN, isCut && result.state == IMPACT_MET);
  return to;
}

// Whether bodies that overlap or touch are looked at again later, or if they meet, at an earlier time. `before`: the
// last time.
fn waits(
  pair: Pair, gap: Gap, isHalfspace: bool, before: f32, mostInterval: f32, progress: ptr<function, Progress>
) -> bool {
  let accepted = 0.5 * acceptedGap(pair);
  let touchTolerance = touchToleranceOf(pair);
  if ((*progress).state == LEAVING && gap.hasNormal && gap.separation > max(accepted, touchTolerance)) {
    (*progress).state = APPROACHING;
    (*progress).interval = 0.0;
  }
  if ((*progress).state == TOUCHING) {
    let state = stateAfterTouch(*progress, gap, pair, isHalfspace, accepted, touchTolerance);
    (*progress).state = state;
    if (state == MEETING) {
      // Without a time of touch they touched from the start on, and the last time without overlap counts.
      (*progress).time = select(before, (*progress).touchTime, (*progress).touchTime >= 0.0);
      (*progress).interval = 0.0;
      return true;
    }
    (*progress).interval = select(0.0, min(2.0 * (*progress).interval, mostInterval), state == TOUCHING);
  }
  return (*progress).state == LEAVING || (*progress).state == TOUCHING;
}

// Whether the contact in `result`, at a distance in the pair's unit, is an impact or the end of the motion. If not, the
// bodies pass, and time goes on.
fn isSettled(
  bodies: MovingBodies, touched: TouchedSurface, distance: f32, progress: ptr<function, Progress>,
  passing: ptr<function, Passing>, result: ptr<function, AdvancementResult>
) -> bool {
  let pair = (*result).pair;
  let hasNormal = (*result).hasNormal;
  let judged = judgedTouch(touched, pair, (*result).normal, (*result).point, distance, hasNormal);
  let isPassing = (*passing).state != PASSING_NOT;
  if ((*passing).state == PASSING_FALLEN || !(isPassing || judged.isReplaced)) {
    (*result).normal = judged.normal;
    (*result).hasNormal = true;
    return true;
  }
  (*result).state = IMPACT_OPEN;
  (*progress).state = APPROACHING;
  (*progress).interval = 0.0;
  (*progress).lastStep.seconds = 0.0;
  let time = (*progress).time;
  if (!isPassing) {
    *passing = beginPassing(time);
    (*progress).touchNormal = toWorld(pair, (*result).normal);
    return false;
  }
  let fall = fallOf(bodies, touched.size, time, pair.unit);
  let most = bodies.motion.margin + max(fall, touchToleranceOf(pair) * pair.unit);
  let isApart = hasNormal && distance * pair.unit > most;
  let height = pair.unit * select(distance, -judged.below, judged.isReplaced);
  let interval = passingInterval(bodies.motion, touched.size);
  let next = passOn(passing, PassedGap(isApart, judged.face, height, judged.isBehind), fall, time, interval);
  (*progress).time = min(next, bodies.motion.duration);
  if ((*passing).state == PASSING_NOT) {
    (*progress).touchNormal = vec3f(0.0);
    (*progress).touchTime = -1.0;
  }
  if (isOn((*passing).state) && time >= bodies.motion.duration) {
    (*result).state = IMPACT_NONE;
    return true;
  }
  return false;
}

// By how much the gap between bodies that pass falls if it closes, in the caller's unit.
fn fallOf(bodies: MovingBodies, size: f32, time: f32, unit: f32) -> f32 {
  let motion = bodies.motion;
  let turned = (length(motion.angularVelocityA) * rotationReach(bodies.shapeA, bodies.poseA) +
      length(motion.angularVelocityB) * rotationReach(bodies.shapeB, bodies.poseB)) * time;
  return PASSING_FALL * size + EPSILON * (PASSING_ULPS * unit + turned);
}

// Between two looks at bodies that pass each other. `size`: of the body that is not the surface's.
fn passingInterval(motion: Motion, size: f32) -> f32 {
  let turning = length(motion.angularVelocityA) + length(motion.angularVelocityB);
  return 1.0 / max(turning / PASSING_TURN + length(motion.velocity) / (PASSING_WAY * size), 1e-30);
}

fn pairAt(bodies: MovingBodies, time: f32, offset: vec3f) -> Pair {
  let motion = bodies.motion;
  return makePair(
    bodies.shapeA, poseAt(bodies.poseA, motion.angularVelocityA, time), bodies.shapeB,
    poseAt(bodies.poseB, motion.angularVelocityB, time), offset
  );
}

fn meetAt(normal: vec3f, point: vec3f, result: ptr<function, AdvancementResult>) {
  (*result).state = IMPACT_MET;
  (*result).normal = normal;
  (*result).point = point;
  (*result).hasNormal = true;
}

// Stores the contact of bodies that pass, whose cores are that far apart. Its normal is kept in the surface's frame.
fn storePassed(
  pair: Pair, gap: Gap, distance: f32, touched: TouchedSurface, progress: ptr<function, Progress>,
  result: ptr<function, AdvancementResult>
) {
  let cores = simplexWitness(pair, gap.search.simplex);
  if (gap.hasNormal) {
    (*progress).touchNormal = toSurface(touched, pair, gap.normal);
  }
  meetAt(gap.normal, touchPoint(pair, cores, gap.normal, distance), result);
  (*result).hasNormal = gap.hasNormal;
}

// How the normal rotates, for the length of the next step: as edges do, or as it did on the last step.
fn normalTurn(pair: Pair, motion: Motion, gap: Gap, lastStep: LastStep, time: f32) -> vec3f {
  let direction = toWorld(pair, gap.normal);
  var turn = edgeTurn(pair, motion, gap.search.simplex, direction);
  if (all(turn == vec3f(0.0)) && lastStep.seconds > 0.0) {
    turn = cross(lastStep.normal, direction) / (time - lastStep.time);
  }
  return turn;
}

// Finds the separation, and the normal if there is one.
fn gapOf(
  pair: Pair, progress: Progress, passing: Passing, touched: TouchedSurface, isHalfspace: bool, targetDistance: f32,
  guess: Guess
) -> Gap {
  var gap: Gap;
  if (isHalfspace) {
    let found = closedForm(pair);
    gap.iterations = 1u;
    gap.separation = found.lower - targetDistance;
    gap.hasNormal = true;
    gap.normal = found.normal;
    gap.cores = Surface(found.onA, found.onB);
    return gap;
  }
  let isPassing = JUDGES && passing.state != PASSING_NOT;
  var towards = fromWorld(pair, progress.touchNormal);
  if (isPassing && passing.state != PASSING_BEGINS) {
    towards = fromSurface(touched, pair, progress.touchNormal);
  }
  var moved = pair;
  moved.translation += towards * select(0.0, ADVANCE_OFFSET, progress.state == OFFSETTING);
  gap.search = gjk(moved, 1e30, -1.0, guess);
  gap.iterations = gap.search.iterations;
  gap.normal = gap.search.normal;
  gap.hasNormal = gap.search.state == GJK_CONVERGED || gap.search.state == GJK_STALLED;
  gap.separation = select(-targetDistance, gap.search.lower - targetDistance, gap.hasNormal);
  if (!gap.hasNormal && (isPassing || progress.state == TOUCHING) && any(progress.touchNormal != vec3f(0.0))) {
    gap.separation = min(dot(towards, supportInLoop(pair, -towards).position) - targetDistance, 0.0);
    gap.isTouch = gap.separation >= -touchToleranceOf(pair);
    if (isPassing) {
      gap.normal = towards;
      gap.hasNormal = true;
    }
  }
  return gap;
}

// What becomes of TOUCHING bodies: TOUCHING, APPROACHING or MEETING.
fn stateAfterTouch(
  progress: Progress, gap: Gap, pair: Pair, isHalfspace: bool, accepted: f32, touchTolerance: f32
) -> u32 {
  // If cores without an inside pass through each other, the normal changes sides.
  let isThrough = !isHalfspace && gap.hasNormal && gap.separation <= 3.0 * touchTolerance &&
      dot(toWorld(pair, gap.normal), progress.touchNormal) < MOTION_OPPOSITE;
  let isApart = gap.separation > max(accepted, touchTolerance) && !isThrough;
  if (gap.isTouch || (!isApart && gap.separation >= -touchTolerance && gap.hasNormal && !isThrough)) {
    return TOUCHING;
  }
  return select(MEETING, APPROACHING, isApart);
}

fn guessOf(s: Simplex) -> Guess {
  let isThere = vec4u(0u, 1u, 2u, 3u) < vec4u(s.count);
  return Guess(
    select(vec4u(NO_ID), vec4u(s.a.id.x, s.b.id.x, s.c.id.x, s.d.id.x), isThere),
    select(vec4u(NO_ID), vec4u(s.a.id.y, s.b.id.y, s.c.id.y, s.d.id.y), isThere),
  );
}

// Witness points of bodies that were offset along the normal, as they are without the offset.
fn offsetWitness(pair: Pair, search: GjkResult, normal: vec3f) -> Surface {
  var moved = pair;
  moved.translation += normal * ADVANCE_OFFSET;
  var cores = simplexWitness(moved, search.simplex);
  cores.onB -= normal * ADVANCE_OFFSET;
  return cores;
}

// Stores normal and point of rotating bodies that meet, if they have a normal. Returns the speed at which their points
// close in along it.
fn storeContact(
  pair: Pair, bodies: MovingBodies, offset: vec3f, targetDistance: f32, gap: Gap,
  result: ptr<function, AdvancementResult>
) -> f32 {
  if (!gap.hasNormal) {
    return 0.0;
  }
  let isHalfspace = max(bodies.shapeA.kind, bodies.shapeB.kind) == CORE_HALFSPACE;
  var cores = gap.cores;
  if (!isHalfspace) {
    cores = simplexWitness(pair, gap.search.simplex);
  }
  let point = touchPoint(pair, cores, gap.normal, targetDistance);
  (*result).normal = gap.normal;
  (*result).point = point;
  let velocity = velocityAt(pair, bodies.motion, offset, point);
  if (isHalfspace) {
    return -dot(gap.normal, velocity);
  }
  let speed = length(velocity);
  if (speed == 0.0) {
    return 0.0;
  }
  var found: CastResult;
  found.normal = gap.normal;
  found.nearest = gap.normal * gap.search.upper;
  found.distance = gap.search.upper;
  found.simplex = gap.search.simplex;
  let face = impactNormal(
    pair, bodies.shapeA, bodies.shapeB, velocity / speed, targetDistance, touchToleranceOf(pair), found, cores
  );
  (*result).normal = face.normal;
  return face.closing * speed;
}
