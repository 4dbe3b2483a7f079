// The face that EPA expands next: the nearest to the origin, or the face that a ray leaves through. A face's rank is
// its height, with a flag, or the negative distance of its plane along the ray.

import package::polytope::aside::{withFlag, withHandicap};
import package::triangle::{TriangleFrame, planeWeights};

// Only faces whose normal is at most centreDistance off centreNormal are chosen.
var<private> centreNormal: vec3f;
var<private> centreDistance: f32;

// A centreDistance that all normals are within.
const EVERYWHERE: f32 = 4.0;
// A centreDistance that stands for another rank: where the ray from the origin against centreNormal leaves through the
// face's plane.
const ALONG: f32 = 0.0;
// The rank of planes that the ray does not leave through: lower than any other, higher than of a face without an
// inside.
const BEHIND: f32 = -0.7e30;

// The rank of a face of this height along its inward normal; `outward` is the opposite, and `a` the first corner of the
// frame's triangle.
fn rankOf(height: f32, outward: vec3f, frame: TriangleFrame, a: vec3f) -> f32 {
  var rank = height;
  var isAside = false;
  if (centreDistance == ALONG) {
    let rate = -dot(outward, centreNormal);
    rank = select(height, select(BEHIND, height / max(rate, 1e-20), rate > 1e-20), height > BEHIND);
  } else {
    let isOff = centreDistance < EVERYWHERE && distance(-outward, centreNormal) > centreDistance;
    isAside = isOff || (height < 0.0 && any(planeWeights(frame, a) < vec3f(-1.0)));
  }
  return withFlag(rank, isAside);
}

// The face of the greatest order is chosen.
fn orderOf(rank: f32) -> f32 {
  return withHandicap(rank);
}

// The height of a face from its rank; `middle` is three times a point of the plane.
fn heightOf(rank: f32, outward: vec3f, middle: vec3f) -> f32 {
  return select(rank, -dot(outward, middle) / 3.0, centreDistance == ALONG && rank >= BEHIND);
}
