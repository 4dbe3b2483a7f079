// When two bodies of the plane in straight motion meet; of bodies that turn, whether they overlap as the motion begins.

import package::approach::{approach};
import package::planar::impact::{impact, PLANAR_IMPACT_NONE};
import package::planar::math::{rotateBack};
import package::planar::pair::{makePair};
import package::planar::queries::impacts::motion::{PlanarMotion, isResting, isTurning, slackOf, wayOf};
import package::planar::queries::impacts::result::{metImpact, noImpact, PLANAR_NEVER};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{KnownShape, PlanarPose};

struct StraightImpact {
  impact: PlanarImpact,
  // The bodies turn and don't overlap: they may meet from `begin` to `end`, seconds after the motion began.
  isPending: bool,
  begin: f32,
  end: f32,
}

// How far behind the place where the bounding circles part they are looked at: rounding of time, as a share of the way's unit.
const PLANAR_PARTED_PAD: f32 = 0.01;

fn straightImpact(shapeA: KnownShape, poseA: PlanarPose, shapeB: KnownShape, poseB: PlanarPose, motion: PlanarMotion, rung: u32) -> StraightImpact {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let circles = approach(vec3f(way.offset, 0.0), vec3f(way.along, 0.0), way.size + way.margin);
  let turns = isTurning(motion);
  // Looking from where the bounding circles meet keeps numbers small.
  let first = select(0.0, max(circles.entry, 0.0), way.isMoving);
  if (way.isMoving && !(circles.isNear && circles.exit >= 0.0 && first <= way.length)) {
    return StraightImpact(noImpact(1u), false, 0.0, 0.0);
  }
  let speed = max(way.speed, 1e-37);
  let begin = first * way.unit / speed;
  // Component by component: what lies across the way keeps its precision, however long that is.
  let pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset + motion.velocity * begin, way.margin * way.unit);
  let toPair = way.unit / pair.unit;
  let along = rotateBack(pair.rotationA, way.along);
  let end = (min(way.length, circles.exit) - first) * toPair;
  let size = way.size * toPair;
  let found = impact(pair, along, end, way.margin * toPair, size, first == 0.0, way.isMoving, turns, isResting(motion, way.isMoving), slackOf(size), rung);
  if (found.state == PLANAR_IMPACT_NONE) {
    let parted = (max(circles.exit, 0.0) + PLANAR_PARTED_PAD) * way.unit / speed;
    return StraightImpact(noImpact(max(found.iterations, 1u)), turns, begin, select(motion.duration, min(motion.duration, parted), way.isMoving));
  }
  // Two parts, of which the second is exact where the first is 0.
  let time = select(-PLANAR_NEVER, min(begin + found.path * pair.unit / speed, motion.duration), way.isMoving);
  return StraightImpact(metImpact(pair, found.state, time, found.normal, found.point, found.iterations), false, 0.0, 0.0);
}
