// One or two points of a hit.

import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, INFO_POINTS_SHIFT};
import package::planar::manifold::{manifold};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, placeInWorld, toWorld};
import package::planar::queries::signed-distance::{signedDistance, surfacePoints};
import package::planar::queries::contacts::{answerInfo};
import package::planar::queries::pair-unit::{marginInUnits};
import package::planar::results::{PlanarContact, PlanarManifold};
import package::planar::support::{support};

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
  let onA = surfacePoints(pair, found).onA;
  return withPoints(pair, result, found.normal, onA, found.lower, found.corners, callersMargin);
}

// Of a hit whose contact is known.
fn manifoldOfContact(pair: PlanarPair, contact: PlanarContact, callersMargin: f32) -> PlanarManifold {
  var result: PlanarManifold;
  result.normal = contact.normal;
  result.info = contact.info;
  result.contactDistance = contact.distance;
  let normal = rotateBack(pair.rotationA, contact.normal);
  let onA = rotateBack(pair.rotationA, contact.pointA) / pair.unit - pair.middleA;
  let corners = vec2u(support(pair.coreA, normal), support(pair.coreB, rotateBack(pair.rotation, -normal)));
  return withPoints(pair, result, normal, onA, contact.distance / pair.unit, corners, callersMargin);
}

// `normal` and `onA` are the contact's, in A's frame and the pair's unit, as `distance` is; `corners` are A's and B's
// nearest.
fn withPoints(
  pair: PlanarPair, given: PlanarManifold, normal: vec2f, onA: vec2f, distance: f32, corners: vec2u, callersMargin: f32
) -> PlanarManifold {
  var result = given;
  let points = manifold(pair, normal, onA, distance, corners, marginInUnits(pair, callersMargin));
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
