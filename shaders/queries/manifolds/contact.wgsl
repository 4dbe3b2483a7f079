// The manifold of a pair, from its contact.

import package::shared::math::{inversePowerOfTwo, perpendicular};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support::{isCurvedPair};
import package::shared::results::{Manifold, INFO_HAS_POINTS, INFO_POINTS_SHIFT};
import package::queries::units::{marginInUnits, toWorld};
import package::contact-face::{ContactFace, contactFace};
import package::box-manifold::{boxManifold};
import package::manifold::{ManifoldPoints, manifold, pointFeature};

// What of a contact's record a manifold is made of.
struct ContactPoint {
  // In world axes, the point relative to A's position.
  normal: vec3f,
  distance: f32,
  onA: vec3f,
  info: u32,
}

// Pairs that are no hits have no points.
fn noPoints(contact: ContactPoint) -> Manifold {
  var result: Manifold;
  result.normal = contact.normal;
  result.info = contact.info & ~INFO_HAS_POINTS;
  return result;
}

// `areSharpBoxes`: both are boxes that are not rounded, as the compiler knows, too.
fn manifoldOfContact(
  pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32, areSharpBoxes: bool
) -> Manifold {
  let margin = marginInUnits(pair, callersMargin);
  let toUnit = inversePowerOfTwo(pair.unit);
  let normal = contact.normal * pair.rotationA;
  let origin = (contact.onA * pair.rotationA) * toUnit;
  let u = perpendicular(normal);
  let v = cross(normal, u);
  let fromFrame = mat3x3f(u, v, normal);
  let toFrame = transpose(fromFrame);

  var faceA: ContactFace;
  var faceB: ContactFace;
  var found: ManifoldPoints;
  let distance = contact.distance * toUnit;
  let offsetA = -(toFrame * origin);
  let offsetB = toFrame * (pair.translation - origin);
  let directionB = -normal * pair.rotation;
  let rotationB = toFrame * pair.rotation;
  if (areSharpBoxes) {
    // Not in a loop: what is constant of a box's face, its count of vertices, stays known.
    faceA = contactFace(shapeA, pair.coreA, pair.radiusA, normal, 1.0, toFrame, offsetA);
    faceB = contactFace(shapeB, pair.coreB, pair.radiusB, directionB, -1.0, rotationB, offsetB);
    found = boxManifold(faceA, faceB, distance, margin);
  } else {
    // In a loop: compilers inline every call.
    var shape = shapeA;
    var core = pair.coreA;
    var radius = pair.radiusA;
    var direction = normal;
    var rotation = toFrame;
    var offset = offsetA;
    var facing = 1.0;
    for (var side = 0u; side < 2u; side++) {
      faceA = faceB;
      faceB = contactFace(shape, core, radius, direction, facing, rotation, offset);
      shape = shapeB;
      core = pair.coreB;
      radius = pair.radiusB;
      direction = directionB;
      rotation = rotationB;
      offset = offsetB;
      facing = -1.0;
    }
    found = manifold(faceA, faceB, distance, margin, isCurvedPair(pair));
  }

  var result = noPoints(contact);
  result.info |= INFO_HAS_POINTS | (found.count << INFO_POINTS_SHIFT);
  for (var i = 0u; i < found.count; i++) {
    var point = found.first;
    if (i == 1u) {
      point = found.second;
    } else if (i == 2u) {
      point = found.third;
    } else if (i == 3u) {
      point = found.fourth;
    }
    let position = toWorld(pair, fromFrame * point.at + origin) * pair.unit;
    // By rounding only may it be more than the margin.
    let placed = vec4f(position, min(point.distance, margin) * pair.unit);
    let feature = pointFeature(faceA, faceB, point.id);
    // Not by number: arrays that are indexed leave the registers.
    if (i == 0u) {
      result.point0 = placed;
      result.features.x = feature;
    } else if (i == 1u) {
      result.point1 = placed;
      result.features.y = feature;
    } else if (i == 2u) {
      result.point2 = placed;
      result.features.z = feature;
    } else {
      result.point3 = placed;
      result.features.w = feature;
    }
  }
  return result;
}
