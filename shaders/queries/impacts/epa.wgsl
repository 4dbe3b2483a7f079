// When two bodies that translate meet, by velocity EPA.

import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, touchToleranceOf};
import package::queries::impacts::linear::{LinearImpact, linearImpact, motionStart};
import package::impact::{ImpactResult};
import package::velocity-epa::{velocityEpa};

fn impactByEpa(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> LinearImpact {
  let start = motionStart(shapeA, poseA, shapeB, poseB, motion);
  var found: ImpactResult;
  if (start.isNear) {
    found = velocityEpa(
      start.pair, shapeA, shapeB, start.direction, start.end, start.margin, start.isMoving, touchToleranceOf(start.pair)
    );
  }
  return linearImpact(start, found);
}
