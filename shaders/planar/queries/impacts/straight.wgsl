// When two bodies of the plane in straight motion meet; of bodies that turn, whether they overlap as the motion begins.

import package::shared::constants::{MOTION_LATER, MOTION_LEAST_CLOSING_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON};
import package::approach::{approach};
import package::planar::impact::{ImpactResult, impact, PLANAR_IMPACT_NONE};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, makePair, toWorld};
import package::planar::queries::signed-distance::{signedDistance, PLANAR_RUNG_SAT};
import package::planar::queries::impacts::motion::{PlanarMotion, Way, isResting, isTurning, pairAt, slackOf, wayOf};
import package::planar::queries::impacts::result::{metImpact, noImpact, PLANAR_NEVER};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{KnownShape, PlanarPose};

struct StraightImpact {
  impact: PlanarImpact,
  // The bodies turn and don't overlap, or part: they may meet from `begin` to `end`, seconds after the motion began.
  isPending: bool,
  begin: f32,
  end: f32,
  // They overlap to begin with, and part.
  isLeaving: bool,
}

// How far behind the place where the bounding circles part they are looked at: rounding of time, as a share of the
// way's unit.
const PLANAR_PARTED_PAD: f32 = 0.01;

fn straightImpact(
  shapeA: KnownShape, poseA: PlanarPose, shapeB: KnownShape, poseB: PlanarPose, motion: PlanarMotion, rung: u32
) -> StraightImpact {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let circles = approach(vec3f(way.offset, 0.0), vec3f(way.along, 0.0), way.size + way.margin);
  let turns = isTurning(motion);
  // Looking from where the bounding circles meet keeps numbers small.
  let first = select(0.0, max(circles.entry, 0.0), way.isMoving);
  if (way.isMoving && !(circles.isNear && circles.exit >= 0.0 && first <= way.length)) {
    return StraightImpact(noImpact(1u), false, 0.0, 0.0, false);
  }
  let speed = max(way.speed, 1e-37);
  let begin = first * way.unit / speed;
  // Component by component: what lies across the way keeps its precision, however long that is.
  let pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset + motion.velocity * begin, way.margin * way.unit);
  let toPair = way.unit / pair.unit;
  let along = rotateBack(pair.rotationA, way.along);
  let end = (min(way.length, circles.exit) - first) * toPair;
  let size = way.size * toPair;
  var found = impact(pair, along, end, way.margin * toPair, size, first == 0.0, way.isMoving, turns,
      isResting(motion, way.isMoving), slackOf(size), rung);
  var isLeaving = false;
  if (motion.passesParting && found.isInside && found.state != PLANAR_IMPACT_NONE) {
    let isTouch = found.room >= -slackOf(size);
    if (isTouch && (turns || !way.isMoving)) {
      found.state = PLANAR_IMPACT_NONE;
    } else if (!isTouch && !closesIn(pair, found, shapeA, poseA, shapeB, poseB, motion, way)) {
      found.state = PLANAR_IMPACT_NONE;
      isLeaving = true;
    }
  }
  if (found.state == PLANAR_IMPACT_NONE) {
    let parted = (max(circles.exit, 0.0) + PLANAR_PARTED_PAD) * way.unit / speed;
    return StraightImpact(noImpact(max(found.iterations, 1u)), turns, begin,
        select(motion.duration, min(motion.duration, parted), way.isMoving), isLeaving);
  }
  // Two parts, of which the second is exact where the first is 0.
  let time = select(-PLANAR_NEVER, min(begin + found.path * pair.unit / speed, motion.duration), way.isMoving);
  return StraightImpact(metImpact(pair, found.state, time, found.normal, found.point, found.iterations), false, 0.0, 0.0, false);
}

// Whether bodies that overlap, as `found` has it, come deeper as their motion begins, by more than rounding.
fn closesIn(
  pair: PlanarPair, found: ImpactResult, shapeA: KnownShape, poseA: PlanarPose, shapeB: KnownShape, poseB: PlanarPose,
  motion: PlanarMotion, way: Way
) -> bool {
  if (!isTurning(motion)) {
    let closing = -dot(toWorld(pair, found.standing), motion.velocity);
    return closing > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity);
  }
  // What turning does to the depth of bodies that have many points on each other is told best by how deep they are a
  // little later.
  let far = max(way.size, length(way.offset)) * way.unit;
  let fastest = length(motion.velocity) + (abs(motion.spinA) + abs(motion.spinB)) * far;
  let seconds = MOTION_LATER * sqrt(slackOf(1.0)) * far / fastest;
  let laterPair = pairAt(shapeA, poseA, shapeB, poseB, motion, seconds);
  let later = signedDistance(laterPair, UNBOUNDED, PLANAR_RUNG_SAT, 0u);
  return found.room * pair.unit - (later.lower * laterPair.unit - way.margin * way.unit) >
      slackOf(way.size * way.unit / pair.unit) * pair.unit;
}
