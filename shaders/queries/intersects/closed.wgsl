// Is the signed distance at most the margin? By a closed form, or of two boxes by SAT, which knows unless it depends on
// an exact gap.

import package::shared::constants::{ACCEPT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{distanceInfo, notConvergedInfo, INFO_PENDING_GJK};
import package::queries::pair-unit::{marginInUnits};
import package::queries::sat-pair::{isSatPair};
import package::closed-form::{closedForm};
import package::sat::{satSeparation};

// SAT decides boxes whose cores overlap or are farther apart than the margin; the others go on to GJK.
fn intersectsByClosedForm(pair: Pair, callersMargin: f32) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  var distance: f32;
  if (isSatPair(pair.coreA.kind, pair.coreB.kind)) {
    distance = satSeparation(pair) - (pair.radiusA + pair.radiusB);
    if (distance <= margin && distance > -(pair.radiusA + pair.radiusB)) {
      return INFO_PENDING_GJK;
    }
  } else {
    let found = closedForm(pair);
    distance = found.lower - (pair.radiusA + pair.radiusB);
    if (found.upper - found.lower > ACCEPT_ULPS * EPSILON) {
      return notConvergedInfo(distance, margin, 1u);
    }
  }
  return distanceInfo(distance, margin, 1u);
}
