// The face that velocity EPA expands next: the face that a ray from the origin leaves through. A face's rank is the
// negative distance of its plane along the ray.

import package::triangle::{TriangleFrame};

// A unit vector.
var<private> crossingRay: vec3f;

// The rank of planes that the ray does not leave through, as low as the height of a face without an inside.
const NO_CROSSING: f32 = -1e30;

// The rank of a face of this height along its inward normal; `outward` is the opposite.
fn rankOf(height: f32, outward: vec3f, frame: TriangleFrame, a: vec3f) -> f32 {
  let rate = dot(outward, crossingRay);
  return select(NO_CROSSING, height / max(rate, 1e-30), rate > 0.0 && height > NO_CROSSING);
}

// The face of the greatest order is chosen.
fn orderOf(rank: f32) -> f32 {
  return rank;
}

// The height of a face; `middle` is three times a point of the plane.
fn heightOf(rank: f32, outward: vec3f, middle: vec3f) -> f32 {
  return -dot(outward, middle) / 3.0;
}
