// When two sharp boxes in straight motion meet, by the separating axis test over time.

import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, slackOf};
import package::queries::impacts::straight::{StraightImpact, straightImpact, motionStart};
import package::impact::{ImpactResult};
import package::swept-sat::{sweptSat};

fn impactOfBoxes(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> StraightImpact {
  let start = motionStart(shapeA, poseA, shapeB, poseB, motion);
  var found: ImpactResult;
  if (start.isNear) {
    found = sweptSat(start.pair, start.along, start.end, start.isFirst, start.isMoving, slackOf(start.pair));
  }
  return straightImpact(start, found);
}
