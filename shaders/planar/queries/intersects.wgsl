// Is the signed distance at most the margin? The `info` word.

import package::shared::constants::{PLANAR_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::shared::results::{distanceInfo, notConvergedInfo};
import package::planar::closed-form::{closedForm, satOfSegments};
import package::planar::gjk::{firstNormal, gjk, PLANAR_GJK_CONVERGED, PLANAR_GJK_FAR, PLANAR_GJK_STALLED};
import package::planar::mpr::{mpr, PLANAR_MPR_FAR, PLANAR_MPR_OVERLAPPING, PLANAR_MPR_OVERLAP};
import package::planar::pair::{PlanarPair};
import package::planar::queries::signed-distance::{takesClosedForm, takesSat, PLANAR_STAGE_MPR};
import package::planar::queries::pair-unit::{acceptedGap, farthest, marginInUnits};
import package::planar::sat::{satSeparation};

fn intersects(pair: PlanarPair, callersMargin: f32, stage: u32) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let far = farthest(margin, radius);
  if (takesClosedForm(pair, stage)) {
    return distanceInfo(closedForm(pair, satOfSegments(pair)).distance - radius, margin, 1u);
  }
  if (takesSat(pair, stage)) {
    let separation = satSeparation(pair);
    if (separation > far || separation < -PLANAR_TOUCH_ULPS * EPSILON) {
      return distanceInfo(separation - radius, margin, 1u);
    }
  }
  if (stage == PLANAR_STAGE_MPR) {
    let found = mpr(pair, far, PLANAR_MPR_OVERLAP);
    if (found.state == PLANAR_MPR_FAR) {
      return distanceInfo(found.lower - radius, margin, found.iterations);
    }
    if (found.state == PLANAR_MPR_OVERLAPPING) {
      return distanceInfo(-radius, margin, found.iterations);
    }
  }
  let search = gjk(pair, far, radius, firstNormal(pair));
  if (search.state == PLANAR_GJK_FAR || search.state == PLANAR_GJK_CONVERGED) {
    return distanceInfo(search.lower - radius, margin, search.iterations);
  }
  if (search.state == PLANAR_GJK_STALLED) {
    if (search.upper - search.lower > acceptedGap()) {
      return notConvergedInfo(search.lower - radius, margin, search.iterations);
    }
    return distanceInfo(0.5 * (search.lower + search.upper) - radius, margin, search.iterations);
  }
  return distanceInfo(min(search.upper - radius, 0.0), margin, search.iterations);
}
