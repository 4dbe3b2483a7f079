// When two bodies in straight motion meet; of bodies that turn, whether they overlap as the motion begins.

import package::shared::pair::{makePair};
import package::shared::results::{Impact};
import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, isTurning, slackOf, wayOf};
import package::queries::impacts::result::{metImpact, noImpact, NEVER};
import package::approach::{approach};
import package::impact::{ImpactResult, impact, IMPACT_MET, IMPACT_NONE};

struct StraightImpact {
  impact: Impact,
  // The bodies turn and don't overlap: they may meet from `begin` on. Where they touch then the impact has a normal and a point.
  isPending: bool,
  isTouching: bool,
  begin: f32,
}

fn straightImpact(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> StraightImpact {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let isPending = isTurning(motion);
  let spheres = approach(way.offset, way.along, way.size + way.margin);
  let start = select(0.0, max(spheres.entry, 0.0), way.isMoving);
  if (way.isMoving && (!spheres.isNear || spheres.exit < 0.0 || start > way.length)) {
    return StraightImpact(noImpact(1u), false, false, 0.0);
  }
  let atSpheres = (spheres.nearest - way.along * spheres.half) * way.unit;
  let pair = makePair(shapeA, poseA, shapeB, poseB, select(motion.offset, atSpheres, start > 0.0));
  let toPair = way.unit / pair.unit;
  let end = select(0.0, min(way.length, spheres.exit) - start, way.isMoving && !isPending);
  let begin = start * way.unit / max(way.speed, 1e-37);
  var found: ImpactResult;
  if (!isPending || start == 0.0) {
    found = impact(
      pair, shapeA, shapeB, way.along * pair.rotationA, end * toPair, way.margin * toPair, way.size * toPair, start == 0.0, way.isMoving, slackOf(pair)
    );
  }
  if (found.state == IMPACT_NONE && !isPending) {
    return StraightImpact(noImpact(found.iterations), false, false, 0.0);
  }
  // Two parts, of which the second is exact where the first is 0.
  let time = select(-NEVER, min(begin + found.path * pair.unit / max(way.speed, 1e-37), motion.duration), way.isMoving);
  let isOpen = isPending && found.state != IMPACT_MET;
  let state = select(found.state, IMPACT_MET, isOpen);
  return StraightImpact(
    metImpact(pair, state, time, found.normal, found.point, found.iterations), isOpen, found.isInside, begin
  );
}
