// When two bodies meet that turn, and don't overlap as the motion begins.

import package::shared::results::{Impact, INFO_ITERATIONS_SHIFT};
import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, wayOf};
import package::queries::impacts::result::{metImpact, noImpact};
import package::advance::{advance};
import package::impact::{IMPACT_NONE, IMPACT_MET};

// `pending` has when to begin, and of bodies that touch then their normal and their point.
fn turningImpact(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion, pending: Impact, isTouching: bool) -> Impact {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let margin = way.margin * way.unit;
  let found = advance(shapeA, poseA, shapeB, poseB, motion, margin, pending.unclampedTime, isTouching, select(vec3f(0.0), pending.normal, isTouching));
  let iterations = (pending.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
  if (found.state == IMPACT_NONE) {
    return noImpact(iterations);
  }
  var impact = metImpact(found.pair, found.state, found.time, found.normal, found.point, iterations);
  if (found.state == IMPACT_MET && !found.isSeen) {
    impact.normal = pending.normal;
    impact.point = pending.point;
  }
  return impact;
}
