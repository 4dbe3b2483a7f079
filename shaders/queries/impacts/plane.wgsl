// When a bounded shape in straight motion meets a half-space: its lowest point decides, whenever. Of bodies that turn,
// whether they overlap as the motion begins.

import package::shared::constants::{MOTION_LEAST_CLOSING_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{makePair};
import package::shared::shapes::{Shape, Pose, CORE_HALFSPACE};
import package::queries::pair-unit::{acceptedGap};
import package::queries::impacts::motion::{Motion, isTurning, slackOf, wayOf};
import package::queries::impacts::result::{metImpact, noImpact, NEVER};
import package::queries::impacts::straight::{StraightImpact};
import package::closed-form::{closedForm};
import package::facing::{staysShallow};
import package::impact::{IMPACT_MET};

fn planeImpact(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> StraightImpact {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let isPending = isTurning(motion);
  let pair = makePair(shapeA, poseA, shapeB, poseB, motion.offset);
  let toPair = way.unit / pair.unit;
  let found = closedForm(pair);
  let along = way.along * pair.rotationA;
  let margin = way.margin * toPair;
  let distance = found.lower - pair.radiusA - pair.radiusB - margin;
  let closing = select(0.0, -dot(found.normal, along), way.isMoving);
  let isTouching = distance <= acceptedGap(pair);
  var time = -NEVER;
  var point = found.onA + found.normal * pair.radiusA;
  var isMet = true;
  if (closing > MOTION_LEAST_CLOSING_ULPS * EPSILON) {
    let path = distance / closing;
    let end = select(way.length * toPair, 0.0, isPending);
    isMet = path <= end && !staysShallow(closing, end * closing - distance, slackOf(pair));
    time = min(path * pair.unit / way.speed, motion.duration);
    // Under the bounded shape's lowest point; what moves in A's frame is B.
    point = select(point, found.onB - found.normal * (pair.radiusB + margin) + along * path, shapeA.kind == CORE_HALFSPACE);
  } else {
    isMet = distance <= select(0.0, -slackOf(pair), way.isMoving);
  }
  if (!isMet && !isPending) {
    return StraightImpact(noImpact(1u), false, false, 0.0);
  }
  return StraightImpact(metImpact(pair, IMPACT_MET, time, found.normal, point, 1u), !isMet, isTouching, 0.0);
}
