// Is the signed distance of two boxes at most the margin? SAT knows unless it depends on an exact gap.

import package::shared::pair::{Pair};
import package::shared::results::{distanceInfo, INFO_PENDING_GJK};
import package::queries::pair-unit::{marginInUnits};
import package::sat::{satSeparation};

// Boxes only. Overlapping cores and cores farther apart than the margin are decided; the rest goes on to GJK.
fn intersectsBySat(pair: Pair, callersMargin: f32) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  let separation = satSeparation(pair) - pair.radiusA - pair.radiusB;
  if (separation > margin) {
    return distanceInfo(separation, margin, 1u);
  }
  if (separation <= -(pair.radiusA + pair.radiusB)) {
    return distanceInfo(separation, margin, 1u);
  }
  return INFO_PENDING_GJK;
}
