// Is the signed distance at most the margin? As far as MPR knows.

import package::shared::pair::{Pair};
import package::shared::results::{distanceInfo, INFO_PENDING_GJK};
import package::queries::pair-unit::{farthest, marginInUnits};
import package::mpr::{mpr, MPR_FAR, MPR_OPEN, MPR_OVERLAP};

// Overlapping cores and cores farther apart than the margin are decided; the rest goes on to GJK.
fn intersectsByMpr(pair: Pair, callersMargin: f32) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let search = mpr(pair, farthest(margin, radius), MPR_OVERLAP);
  if (search.state == MPR_OPEN) {
    return INFO_PENDING_GJK;
  }
  return distanceInfo(select(0.0, search.lower, search.state == MPR_FAR) - radius, margin, search.iterations);
}
