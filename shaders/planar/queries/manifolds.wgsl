// One or two points of a hit.

import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, INFO_POINTS_SHIFT};
import package::planar::manifold::{manifold};
import package::planar::pair::{PlanarPair, placeInWorld, toWorld};
import package::planar::queries::signed-distance::{signedDistance, surfacePoints};
import package::planar::queries::contacts::{answerInfo};
import package::planar::queries::pair-unit::{marginInUnits};
import package::planar::results::{PlanarManifold};

fn manifoldOf(pair: PlanarPair, callersMargin: f32, stage: u32, mprDepth: u32) -> PlanarManifold {
  let margin = marginInUnits(pair, callersMargin);
  let found = signedDistance(pair, margin, stage, mprDepth);
  var result: PlanarManifold;
  result.normal = toWorld(pair, found.normal);
  result.info = answerInfo(found, margin);
  result.contactDistance = found.lower * pair.unit;
  if ((result.info & INFO_HIT) == 0u || !found.hasPoints) {
    result.info &= ~INFO_HAS_POINTS;
    return result;
  }
  let points = manifold(pair, found.normal, surfacePoints(pair, found).onA, found.lower, found.corners, margin);
  result.info |= points.count << INFO_POINTS_SHIFT;
  result.position0 = placeInWorld(pair, points.first.position);
  // By rounding only may it be more than the margin.
  result.distance0 = min(points.first.distance * pair.unit, callersMargin);
  result.feature0 = points.first.feature;
  if (points.count == 2u) {
    result.position1 = placeInWorld(pair, points.second.position);
    result.distance1 = min(points.second.distance * pair.unit, callersMargin);
    result.feature1 = points.second.feature;
  }
  return result;
}
