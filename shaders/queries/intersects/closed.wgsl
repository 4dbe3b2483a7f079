// Is the signed distance at most the margin? By a closed form.

import package::shared::constants::{ACCEPT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{distanceInfo, notConvergedInfo};
import package::queries::pair-unit::{marginInUnits};
import package::closed-form::{closedForm};

fn intersectsByClosedForm(pair: Pair, callersMargin: f32) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  let found = closedForm(pair);
  let distance = found.lower - pair.radiusA - pair.radiusB;
  if (found.upper - found.lower > ACCEPT_ULPS * EPSILON) {
    return notConvergedInfo(distance, margin, 1u);
  }
  return distanceInfo(distance, margin, 1u);
}
