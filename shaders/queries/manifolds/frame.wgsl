// The frame in which a pair's manifold is computed, from its contact.

import package::shared::math::{inversePowerOfTwo, perpendicular};
import package::shared::pair::{Pair, fromWorld};
import package::shared::shapes::{Shape};
import package::queries::pair-unit::{marginInUnits};
import package::queries::manifolds::contact::{ContactPoint};

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
