// Distance of a pair as far as MPR knows it.

import package::shared::pair::{Pair};
import package::shared::results::{Distance, INFO_PENDING_GJK};
import package::queries::pair-unit::{farthest, marginInUnits};
import package::queries::distances::result::{farDistance, overlappingDistance};
import package::mpr::{mpr, MPR_FAR, MPR_OPEN, MPR_OVERLAP};

// Overlapping cores and cores farther apart than the margin are decided; the rest goes on to GJK.
fn distanceByMpr(pair: Pair, callersMargin: f32) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let search = mpr(pair, farthest(margin, radius), MPR_OVERLAP);
  if (search.state == MPR_OPEN) {
    var pending: Distance;
    pending.info = INFO_PENDING_GJK;
    return pending;
  }
  if (search.state == MPR_FAR) {
    return farDistance(pair, search.normal, search.lower - radius, margin, search.iterations);
  }
  return overlappingDistance(margin, search.iterations);
}
