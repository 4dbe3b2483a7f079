// When two bodies in straight motion meet, by velocity EPA.

import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, slackOf};
import package::queries::impacts::straight::{StraightImpact, straightImpact, motionStart};
import package::impact::{ImpactResult};
import package::velocity-epa::{velocityEpa};

fn impactByEpa(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> StraightImpact {
  let start = motionStart(shapeA, poseA, shapeB, poseB, motion);
  var found: ImpactResult;
  if (start.isNear) {
    found = velocityEpa(start.pair, shapeA, shapeB, start.along, start.end, start.margin, start.isMoving, slackOf(start.pair));
  }
  return straightImpact(start, found);
}
