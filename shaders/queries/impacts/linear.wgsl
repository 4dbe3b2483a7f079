// When two bodies that translate meet. For rotating bodies, whether they overlap at the start.

import package::shared::pair::{Pair, fromWorld, makePair};
import package::shared::results::{Impact};
import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, isRotating, translationOf};
import package::queries::impacts::result::{impactRecord, noImpact};
import package::queries::impacts::times::{NEVER};
import package::approach::{approach};
import package::impact::{ImpactResult, IMPACT_MET, IMPACT_NONE};

// Where the search for an impact starts: where the bounding spheres meet, or at the start of the motion.
struct Start {
  // Whether they meet at all.
  isNear: bool,
  // Whether this is the start of the motion.
  isFirst: bool,
  isMoving: bool,
  // The bodies rotate: only the start matters here.
  isRotating: bool,
  pair: Pair,
  // In A's frame and the pair's unit: the unit vector along which B moves, how far it moves, the sum of the bounding
  // radii, and the margin.
  direction: vec3f,
  end: f32,
  size: f32,
  margin: f32,
  // In world units: when B is there, and its speed.
  begin: f32,
  speed: f32,
  duration: f32,
}

fn motionStart(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> Start {
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  var start: Start;
  start.isMoving = translation.isMoving;
  start.isRotating = isRotating(motion);
  let spheres = approach(translation.offset, translation.direction, translation.size + translation.margin);
  let first = select(0.0, max(spheres.entry, 0.0), translation.isMoving);
  start.isNear = !translation.isMoving || (spheres.isNear && spheres.exit >= 0.0 && first <= translation.length);
  start.isFirst = first == 0.0;
  start.speed = max(translation.speed, 1e-37);
  start.begin = first * translation.unit / start.speed;
  // Component by component, so that the offset across the translation keeps its precision, however long that is.
  start.pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset + motion.velocity * start.begin);
  let toPair = translation.unit / start.pair.unit;
  start.direction = fromWorld(start.pair, translation.direction);
  start.end = select(
    0.0, min(translation.length, spheres.exit) - first, translation.isMoving && !start.isRotating
  ) * toPair;
  start.size = translation.size * toPair;
  start.margin = translation.margin * toPair;
  start.duration = motion.duration;
  return start;
}

struct LinearImpact {
  impact: Impact,
  // The bodies rotate and don't overlap: they may meet from `begin` on.
  isPending: bool,
  // They overlap or touch there: the impact has a normal and a point.
  isTouching: bool,
  begin: f32,
}

// `found` is empty if there was no search.
fn linearImpact(start: Start, found: ImpactResult) -> LinearImpact {
  let isPending = start.isNear && start.isRotating && found.state != IMPACT_MET;
  if (found.state == IMPACT_NONE && !isPending) {
    return LinearImpact(noImpact(max(found.iterations, 1u)), false, false, 0.0);
  }
  // A sum of two parts; the second one is exact if the first one is 0.
  let time = select(
    -NEVER, min(start.begin + found.travelled * start.pair.unit / start.speed, start.duration), start.isMoving
  );
  let state = select(found.state, IMPACT_MET, isPending);
  return LinearImpact(
    impactRecord(start.pair, state, time, found.normal, found.point, found.iterations), isPending, found.isInside,
    start.begin
  );
}
