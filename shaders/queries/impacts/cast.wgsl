// When two bodies that translate meet, by casts.

import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, touchToleranceOf};
import package::queries::impacts::linear::{LinearImpact, linearImpact, motionStart};
import package::impact::{ImpactResult, impact};

fn impactByCasts(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> LinearImpact {
  let start = motionStart(shapeA, poseA, shapeB, poseB, motion);
  var found: ImpactResult;
  if (start.isNear && (start.isFirst || !start.isRotating)) {
    found = impact(
      start.pair, shapeA, shapeB, start.direction, start.end, start.margin, start.size, start.isFirst, start.isMoving,
      touchToleranceOf(start.pair)
    );
  }
  return linearImpact(start, found);
}
