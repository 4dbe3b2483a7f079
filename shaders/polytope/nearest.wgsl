// Which face EPA expands: the one nearest to the origin, or the one that a ray leaves through. What is kept of each is
// its height, with a flag, or minus how far along the ray its plane is.

import package::triangle::{TriangleFrame, planeWeights};

// Only faces whose normal is at most this far off this one are chosen:
var<private> centreNormal: vec3f;
var<private> centreReach: f32;

// In the last bit of a height: the origin is inside the face's plane and projects on it far outside the face. In exact
// arithmetic such a face is never the nearest, but the plane of a thin one, tilted by rounding, may seem so where it is
// extended that far.
const ASIDE: u32 = 1u;
// How far behind the others these faces are put; heights are below 8.
const ASIDE_HANDICAP: f32 = 1000.0;

// A reach that all normals are within.
const EVERYWHERE: f32 = 4.0;
// No reach: faces are chosen by where the ray from the origin against the normal leaves through their planes.
const ALONG: f32 = 0.0;
// What is kept then of planes that it does not leave through: less than of any other, more than of a face that has no
// inside.
const BEHIND: f32 = -0.7e30;

// What is kept of a face of this height along its inward normal; `outward` is the opposite, and `a` the first corner of
// the frame's triangle.
fn rankOf(height: f32, outward: vec3f, frame: TriangleFrame, a: vec3f) -> f32 {
  var rank = height;
  var isAside = false;
  if (centreReach == ALONG) {
    let rate = -dot(outward, centreNormal);
    rank = select(height, select(BEHIND, height / max(rate, 1e-20), rate > 1e-20), height > BEHIND);
  } else {
    let isOff = centreReach < EVERYWHERE && distance(-outward, centreNormal) > centreReach;
    isAside = isOff || (height < 0.0 && any(planeWeights(frame, a) < vec3f(-1.0)));
  }
  return bitcast<f32>((bitcast<u32>(rank) & ~ASIDE) | select(0u, ASIDE, isAside));
}

// By which faces are chosen: the greatest first.
fn orderOf(rank: f32) -> f32 {
  return rank - select(0.0, ASIDE_HANDICAP, (bitcast<u32>(rank) & ASIDE) == ASIDE);
}

// `middle` is three times a point of the plane.
fn heightOf(rank: f32, outward: vec3f, middle: vec3f) -> f32 {
  return select(rank, -dot(outward, middle) / 3.0, centreReach == ALONG && rank >= BEHIND);
}
