// When two sharp boxes that translate meet, by the separating axis test over time, or a bounded shape and a half-space:
// its lowest point decides at all times. For rotating bodies, whether they overlap at the start.

import package::shared::constants::{MOTION_LEAST_CLOSING_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{fromWorld, makePair};
import package::shared::shapes::{Shape, Pose, CORE_HALFSPACE};
import package::queries::pair-unit::{acceptedGap};
import package::queries::impacts::motion::{Motion, isRotating, touchToleranceOf, translationOf};
import package::queries::impacts::result::{impactRecord, noImpact};
import package::queries::impacts::times::{NEVER};
import package::queries::impacts::linear::{LinearImpact, linearImpact, motionStart};
import package::queries::sat-pair::{isSatPair};
import package::closed-form::{closedForm};
import package::impact-normal::{staysShallow};
import package::impact::{ImpactResult, IMPACT_MET};
import package::swept-sat::{sweptSat};

fn impactByClosedForm(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> LinearImpact {
  if (isSatPair(shapeA.kind, shapeB.kind)) {
    return impactOfBoxes(shapeA, poseA, shapeB, poseB, motion);
  }
  return halfspaceImpact(shapeA, poseA, shapeB, poseB, motion);
}

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

fn halfspaceImpact(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> LinearImpact {
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  let isPending = isRotating(motion);
  let pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset);
  let toPair = translation.unit / pair.unit;
  let found = closedForm(pair);
  let direction = fromWorld(pair, translation.direction);
  let margin = translation.margin * toPair;
  let distance = found.lower - (pair.radiusA + pair.radiusB) - margin;
  let closing = select(0.0, -dot(found.normal, direction), translation.isMoving);
  let isTouching = distance <= acceptedGap(pair);
  var time = -NEVER;
  var point = found.onA + found.normal * pair.radiusA;
  var isHit = true;
  if (closing > MOTION_LEAST_CLOSING_ULPS * EPSILON) {
    let travelled = distance / closing;
    let end = select(translation.length * toPair, 0.0, isPending);
    isHit = travelled <= end && !staysShallow(closing, end * closing - distance, touchToleranceOf(pair));
    time = min(travelled * pair.unit / translation.speed, motion.duration);
    // Below the bounded shape's lowest point. In A's frame, B moves.
    point = select(
      point, found.onB - found.normal * (pair.radiusB + margin) + direction * travelled, shapeA.kind == CORE_HALFSPACE
    );
  } else {
    isHit = distance <= select(0.0, -touchToleranceOf(pair), translation.isMoving);
  }
  if (!isHit && !isPending) {
    return LinearImpact(noImpact(1u), false, false, 0.0);
  }
  return LinearImpact(impactRecord(pair, IMPACT_MET, time, found.normal, point, 1u), !isHit, isTouching, 0.0);
}
