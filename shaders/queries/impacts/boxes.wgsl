// When two sharp boxes that translate meet, by the separating axis test over time.

import package::shared::shapes::{Shape, Pose};
import package::queries::impacts::motion::{Motion, touchToleranceOf};
import package::queries::impacts::linear::{LinearImpact, linearImpact, motionStart};
import package::impact::{ImpactResult};
import package::swept-sat::{sweptSat};

fn impactOfBoxes(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> LinearImpact {
  let start = motionStart(shapeA, poseA, shapeB, poseB, motion);
  var found: ImpactResult;
  if (start.isNear) {
    found = sweptSat(
      start.pair, start.direction, start.end, start.isFirst, start.isMoving, touchToleranceOf(start.pair)
    );
  }
  return linearImpact(start, found);
}
