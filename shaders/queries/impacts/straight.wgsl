// When two bodies in straight motion meet; of bodies that turn, whether they overlap as the motion begins.

import package::shared::pair::{Pair, makePair};
import package::shared::results::{Impact};
import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, isTurning, wayOf};
import package::queries::impacts::result::{metImpact, noImpact, NEVER};
import package::approach::{approach};
import package::impact::{ImpactResult, IMPACT_MET, IMPACT_NONE};

// Where to look for an impact: from where the bounding spheres meet, or where the motion begins.
struct Start {
  // Whether they meet at all.
  isNear: bool,
  // Whether the motion begins here.
  isFirst: bool,
  isMoving: bool,
  // The bodies turn: what comes later is not asked for.
  isTurning: bool,
  pair: Pair,
  // In A's frame and the pair's unit: the unit vector that B moves along, how far, the sum of the bounding radii, the
  // margin.
  along: vec3f,
  end: f32,
  size: f32,
  margin: f32,
  // In the world: when B is there, and how fast it is.
  begin: f32,
  speed: f32,
  duration: f32,
}

fn motionStart(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> Start {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  var start: Start;
  start.isMoving = way.isMoving;
  start.isTurning = isTurning(motion);
  let spheres = approach(way.offset, way.along, way.size + way.margin);
  let first = select(0.0, max(spheres.entry, 0.0), way.isMoving);
  start.isNear = !way.isMoving || (spheres.isNear && spheres.exit >= 0.0 && first <= way.length);
  start.isFirst = first == 0.0;
  start.speed = max(way.speed, 1e-37);
  start.begin = first * way.unit / start.speed;
  // Component by component: what lies across the way keeps its precision, however long that is.
  start.pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset + motion.velocity * start.begin);
  let toPair = way.unit / start.pair.unit;
  start.along = way.along * start.pair.rotationA;
  start.end = select(0.0, min(way.length, spheres.exit) - first, way.isMoving && !start.isTurning) * toPair;
  start.size = way.size * toPair;
  start.margin = way.margin * toPair;
  start.duration = motion.duration;
  return start;
}

struct StraightImpact {
  impact: Impact,
  // The bodies turn and don't overlap: they may meet from `begin` on.
  isPending: bool,
  // They overlap or touch there: the impact has a normal and a point.
  isTouching: bool,
  begin: f32,
}

// `found` is empty where there was nothing to look for.
fn straightImpact(start: Start, found: ImpactResult) -> StraightImpact {
  let isPending = start.isNear && start.isTurning && found.state != IMPACT_MET;
  if (found.state == IMPACT_NONE && !isPending) {
    return StraightImpact(noImpact(max(found.iterations, 1u)), false, false, 0.0);
  }
  // Two parts, of which the second is exact where the first is 0.
  let time = select(-NEVER, min(start.begin + found.path * start.pair.unit / start.speed, start.duration), start.isMoving);
  let state = select(found.state, IMPACT_MET, isPending);
  return StraightImpact(
    metImpact(start.pair, state, time, found.normal, found.point, found.iterations), isPending, found.isInside, start.begin
  );
}
