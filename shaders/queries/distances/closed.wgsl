// Distance and witness points by a closed form, or of two boxes as far as SAT knows it; an overlapping pair gets zeros.

import package::shared::constants::{ACCEPT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{Distance, notConvergedInfo, INFO_HAS_POINTS, INFO_PENDING_GJK};
import package::queries::pair-unit::{marginInUnits};
import package::queries::sat-pair::{isSatPair};
import package::queries::surface::{Surface};
import package::queries::distances::result::{farDistance, convergedDistance, overlappingDistance};
import package::closed-form::{ClosedForm, closedForm};
import package::sat::{sat};

// SAT decides boxes whose cores overlap or are farther apart than the margin; the others go on to GJK.
fn distanceByClosedForm(pair: Pair, callersMargin: f32) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  var found: ClosedForm;
  if (isSatPair(pair.coreA.kind, pair.coreB.kind)) {
    let best = sat(pair);
    found = ClosedForm(best.normal, best.separation, best.separation, vec3f(0.0), vec3f(0.0));
  } else {
    found = closedForm(pair);
  }
  let distance = found.lower - (pair.radiusA + pair.radiusB);
  if (distance > margin) {
    return farDistance(pair, found.normal, distance, margin, 1u);
  }
  if (isSatPair(pair.coreA.kind, pair.coreB.kind) && found.lower > 0.0) {
    var pending: Distance;
    pending.info = INFO_PENDING_GJK;
    return pending;
  }
  let hasConverged = found.upper - found.lower <= ACCEPT_ULPS * EPSILON;
  if (hasConverged && distance <= 0.0) {
    return overlappingDistance(margin, 1u);
  }
  var result = convergedDistance(pair, found.normal, distance, Surface(found.onA, found.onB), margin, 1u);
  if (!hasConverged) {
    result.info = notConvergedInfo(distance, margin, 1u) | INFO_HAS_POINTS;
  }
  return result;
}
