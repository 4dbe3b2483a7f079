// Which face velocity EPA expands: the one through which a ray from the origin exits. A face's rank is minus the
// distance along the ray at which the ray crosses its plane.

import package::triangle::{TriangleFrame};

// A unit vector.
var<private> crossingRay: vec3f;

// Rank of planes through which the ray doesn't exit: no more than the height of a face without an inside.
const NO_CROSSING: f32 = -1e30;

// Rank of a face of this height along its inward normal; `outward` is the opposite.
fn rankOf(height: f32, outward: vec3f, frame: TriangleFrame, a: vec3f) -> f32 {
  let rate = dot(outward, crossingRay);
  return select(NO_CROSSING, height / max(rate, 1e-30), rate > 0.0 && height > NO_CROSSING);
}

// Faces are chosen by this: the greatest first.
fn orderOf(rank: f32) -> f32 {
  return rank;
}

// `middle` is three times a point of the plane.
fn heightOf(rank: f32, outward: vec3f, middle: vec3f) -> f32 {
  return -dot(outward, middle) / 3.0;
}
