// Distance and witness points of a pair that is apart; zeros for one that overlaps.

import package::shared::constants::{GJK_EXIT_ULPS, PLANAR_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::shared::results::{distanceInfo, notConvergedInfo, INFO_HAS_POINTS};
import package::planar::closed-form::{closedForm, nearestRectangles, rectangleSeparation, satOfSegments};
import package::planar::gjk::{firstNormal, gjk, PLANAR_GJK_CONVERGED, PLANAR_GJK_FAR, PLANAR_GJK_STALLED};
import package::planar::mpr::{mpr, PLANAR_MPR_FAR, PLANAR_MPR_OVERLAPPING, PLANAR_MPR_OVERLAP};
import package::planar::pair::{PlanarPair, placeInWorld, toWorld};
import package::planar::queries::signed-distance::{
  Answer, byChord, closedAnswer, farAnswer, surfacePoints, takesClosedForm, PLANAR_STAGE_CLOSED,
  PLANAR_STAGE_MPR
};
import package::planar::queries::pair-unit::{farthest, marginInUnits};
import package::planar::results::{PlanarDistance};
import package::planar::sat::{satSeparation};
import package::planar::shapes::{PLANAR_RECTANGLE};
import package::planar::support::{ARE_ANY};

fn distanceOf(pair: PlanarPair, callersMargin: f32, stage: u32) -> PlanarDistance {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let far = farthest(margin, radius);
  if (takesClosedForm(pair, stage)) {
    return record(pair, margin, closedAnswer(pair, far, closedForm(pair, satOfSegments(pair)), 1u));
  }
  let areRectangles = pair.coreA.kind == PLANAR_RECTANGLE && pair.coreB.kind == PLANAR_RECTANGLE;
  if (!ARE_ANY && stage <= PLANAR_STAGE_CLOSED && areRectangles) {
    let touch = PLANAR_TOUCH_ULPS * EPSILON;
    if (satSeparation(pair) < -touch) {
      return overlapping(margin, 1u);
    }
    let found = nearestRectangles(pair);
    // Near the end of an edge, a corner is hardly farther than the edge, but its normal is another one. GJK tells them
    // apart.
    let isNearest = found.distance - rectangleSeparation(pair, found.normal) <= GJK_EXIT_ULPS * EPSILON;
    if (found.distance > touch && isNearest) {
      return record(pair, margin, closedAnswer(pair, far, found, 1u));
    }
  }
  if (stage == PLANAR_STAGE_MPR) {
    let found = mpr(pair, far, PLANAR_MPR_OVERLAP);
    if (found.state == PLANAR_MPR_FAR) {
      return record(pair, margin, farAnswer(radius, found.lower, 1e30, found.normal, found.iterations));
    }
    if (found.state == PLANAR_MPR_OVERLAPPING) {
      return overlapping(margin, found.iterations);
    }
  }
  let search = gjk(pair, far, radius, firstNormal(pair));
  if (search.state == PLANAR_GJK_FAR) {
    return record(pair, margin, farAnswer(radius, search.lower, search.upper, search.normal, search.iterations));
  }
  if (search.state != PLANAR_GJK_CONVERGED && search.state != PLANAR_GJK_STALLED) {
    return overlapping(margin, search.iterations);
  }
  let s = search.simplex;
  return record(
    pair, margin,
    byChord(pair, search.lower, search.upper, search.normal, s.a.id, s.b.id, s.weights.x, search.iterations)
  );
}

fn overlapping(margin: f32, iterations: u32) -> PlanarDistance {
  var result: PlanarDistance;
  result.info = distanceInfo(0.0, margin, iterations);
  return result;
}

fn record(pair: PlanarPair, margin: f32, found: Answer) -> PlanarDistance {
  if (found.lower <= 0.0 && !found.isOpen) {
    return overlapping(margin, found.iterations);
  }
  var result: PlanarDistance;
  result.normal = toWorld(pair, found.normal);
  result.distance = max(found.lower, 0.0) * pair.unit;
  result.info = distanceInfo(found.lower, margin, found.iterations);
  if (found.isOpen) {
    result.info = notConvergedInfo(found.lower, margin, found.iterations);
  }
  if (found.hasPoints) {
    let surface = surfacePoints(pair, found);
    result.pointA = placeInWorld(pair, surface.onA);
    result.pointB = placeInWorld(pair, surface.onB);
    result.info |= INFO_HAS_POINTS;
  }
  return result;
}
