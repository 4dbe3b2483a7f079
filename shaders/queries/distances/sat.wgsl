// Distance of two boxes as far as SAT knows it.

import package::shared::pair::{Pair};
import package::shared::results::{Distance, INFO_PENDING_GJK};
import package::queries::pair-unit::{marginInUnits};
import package::queries::distances::result::{farDistance, overlappingDistance};
import package::sat::{sat};

// Boxes only. Overlapping cores and cores farther apart than the margin are decided; the rest goes on to GJK.
fn distanceBySat(pair: Pair, callersMargin: f32) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  let best = sat(pair);
  let separation = best.separation - pair.radiusA - pair.radiusB;
  if (separation > margin) {
    return farDistance(pair, best.normal, separation, margin, 1u);
  }
  if (best.separation <= 0.0) {
    return overlappingDistance(margin, 1u);
  }
  var pending: Distance;
  pending.info = INFO_PENDING_GJK;
  return pending;
}
