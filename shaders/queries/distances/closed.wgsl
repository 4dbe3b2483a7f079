// Distance and witness points by a closed form; an overlapping pair gets zeros.

import package::shared::constants::{ACCEPT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{Distance, notConvergedInfo, INFO_HAS_POINTS};
import package::queries::pair-unit::{marginInUnits};
import package::queries::witness::{Surface};
import package::queries::distances::result::{farDistance, convergedDistance, overlappingDistance};
import package::closed-form::{closedForm};

fn distanceByClosedForm(pair: Pair, callersMargin: f32) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  let found = closedForm(pair);
  let distance = found.lower - pair.radiusA - pair.radiusB;
  if (distance > margin) {
    return farDistance(pair, found.normal, distance, margin, 1u);
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
