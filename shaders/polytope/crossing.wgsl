// Which face velocity EPA expands: the one that a ray from the origin leaves through. What is kept of each is minus how
// far along the ray its plane is.

import package::triangle::{TriangleFrame};

// A unit vector.
var<private> crossingRay: vec3f;

// Of planes that the ray does not leave through: no more than the height of a face that is none.
const NO_CROSSING: f32 = -1e30;

// What is kept of a face of this height along its inward normal; `outward` is the opposite.
fn rankOf(height: f32, outward: vec3f, frame: TriangleFrame, a: vec3f) -> f32 {
  let rate = dot(outward, crossingRay);
  return select(NO_CROSSING, height / max(rate, 1e-30), rate > 0.0 && height > NO_CROSSING);
}

// By which faces are chosen: the greatest first.
fn orderOf(rank: f32) -> f32 {
  return rank;
}

// `middle` is three times a point of the plane.
fn heightOf(rank: f32, outward: vec3f, middle: vec3f) -> f32 {
  return -dot(outward, middle) / 3.0;
}
