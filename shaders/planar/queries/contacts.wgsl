// Signed distance, witness points and features.

import package::shared::constants::{GREATEST_DISTANCE, MIDDLE_BOUND_ULPS, PLANAR_BOUND_ULPS};
import package::shared::math::{EPSILON};
import package::shared::results::{distanceInfo, notConvergedInfo, INFO_HAS_POINTS};
import package::planar::feature::{feature};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, placeInWorld, toWorld};
import package::planar::queries::signed-distance::{Answer, signedDistance, surfacePoints};
import package::planar::queries::pair-unit::{marginInUnits};
import package::planar::results::{PlanarContact};

fn contactOf(pair: PlanarPair, callersMargin: f32, stage: u32, mprDepth: u32) -> PlanarContact {
  let margin = marginInUnits(pair, callersMargin);
  let found = signedDistance(pair, margin, stage, mprDepth);
  let ofMiddles = MIDDLE_BOUND_ULPS * dot(abs(pair.middleA) + abs(pair.middleB), vec2f(1.0));
  let slack = (PLANAR_BOUND_ULPS + ofMiddles) * EPSILON;
  var result: PlanarContact;
  result.normal = toWorld(pair, found.normal);
  result.distance = found.lower * pair.unit;
  result.info = answerInfo(found, margin);
  result.lower = (found.lower - slack) * pair.unit;
  result.upper = min(found.upper + slack, GREATEST_DISTANCE) * pair.unit;
  if (found.hasPoints) {
    let surface = surfacePoints(pair, found);
    result.pointA = placeInWorld(pair, surface.onA);
    result.pointB = placeInWorld(pair, surface.onB);
    result.featureA = feature(pair.coreA, found.normal, found.corners.x);
    result.featureB = feature(pair.coreB, rotateBack(pair.rotation, -found.normal), found.corners.y);
  }
  return result;
}

fn answerInfo(found: Answer, margin: f32) -> u32 {
  let points = select(0u, INFO_HAS_POINTS, found.hasPoints);
  if (found.isOpen) {
    return points | notConvergedInfo(found.lower, margin, found.iterations);
  }
  return points | distanceInfo(found.lower, margin, found.iterations);
}
