// The frame in which a pair's manifold is computed, from its contact; and the manifold's record.

import package::shared::math::{inversePowerOfTwo, perpendicular};
import package::shared::pair::{Pair, fromWorld};
import package::shared::shapes::{Shape};
import package::shared::results::{Manifold, INFO_HAS_POINTS, INFO_POINTS_SHIFT};
import package::queries::pair-unit::{marginInUnits, placeInWorld};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
import package::contact-face::face::{ContactFace};
import package::corners::{ChosenCorners, cornerAt};
import package::manifold::features::{chosenFeatures};

// The frame that contact faces are seen in, and the bodies as they take them: all in the pair's unit.
struct ContactFrame {
  distance: f32,
  margin: f32,
  // Sum of the bounding radii about the middles.
  size: f32,
  // The contact's point on A and the normal, in A's frame.
  origin: vec3f,
  normal: vec3f,
  // Takes vectors from the frame u, v, h to A's.
  fromFrame: mat3x3f,
  // Takes vectors from the bodies' frames to u, v, h, and their origins there.
  rotationA: mat3x3f,
  offsetA: vec3f,
  rotationB: mat3x3f,
  offsetB: vec3f,
  // Against the normal, in B's frame.
  directionB: vec3f,
}

fn contactFrame(pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32) -> ContactFrame {
  let toUnit = inversePowerOfTwo(pair.unit);
  let normal = fromWorld(pair, contact.normal);
  let origin = fromWorld(pair, contact.onA) * toUnit - pair.middleA;
  let u = perpendicular(normal);
  let v = cross(normal, u);
  let fromFrame = mat3x3f(u, v, normal);
  let toFrame = transpose(fromFrame);
  return ContactFrame(
    contact.distance * toUnit,
    marginInUnits(pair, callersMargin),
    shapeA.middleRadius * pair.coreA.scale + shapeB.middleRadius * pair.coreB.scale,
    origin,
    normal,
    fromFrame,
    toFrame,
    -(toFrame * origin),
    toFrame * pair.rotation,
    toFrame * (pair.translation - origin),
    -normal * pair.rotation,
  );
}

fn manifoldOf(
  pair: Pair, contact: ContactPoint, frame: ContactFrame, faceA: ContactFace, faceB: ContactFace, chosen: ChosenCorners
) -> Manifold {
  var result = noPoints(contact);
  result.info |= INFO_HAS_POINTS | (chosen.count << INFO_POINTS_SHIFT);
  result.features = chosenFeatures(faceA, faceB, chosen);
  for (var i = 0u; i < chosen.count; i++) {
    let corner = cornerAt(chosen.numbers[i]).place;
    let position = placeInWorld(pair, frame.fromFrame * corner.xyz + frame.origin);
    // The distance exceeds the margin only by rounding.
    let placed = vec4f(position, min(corner.w, frame.margin) * pair.unit);
    // Not an array with a variable index: compilers keep such arrays out of registers.
    if (i == 0u) {
      result.point0 = placed;
    } else if (i == 1u) {
      result.point1 = placed;
    } else if (i == 2u) {
      result.point2 = placed;
    } else {
      result.point3 = placed;
    }
  }
  return result;
}
