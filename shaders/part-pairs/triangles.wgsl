// Whether two triangles are certain to share a point, certain not to, or neither, for coordinates that are known to an
// error. What is certain here is what exact arithmetic finds for the coordinates that were rounded
// (src/cpu/triangle-intersection.ts).
//
// Follows Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates" (2003):
// the sides of each triangle's corners of the other one's plane, and if both planes are crossed, two volumes that order
// the ends of the intervals in which the triangles cut the common line of their planes. All of these are volumes
// det(a, b, c), each with a bound of its error. With u = 2^-24:
//
// - A's corners are exact. The first corner of B is off by at most `error` along each axis, which changes a volume by
//   `error` times the sum of the components of the other vectors' product. B's edges are off by 10 u of themselves:
//   they are rotated differences.
// - The vectors of a volume are two edges and the vector between two corners. Edges are off by 11 u of the sum of two
//   of their triangle's, and vectors between corners by 12 u of `reach`, which bounds their lengths. The products of
//   three of them round by 6.5 u.
// - Lengths are sums of absolute values: no squares that vanish. `reach` includes `error`, which covers products of
//   errors.
// - What is below the least normal number may be taken for 0. TINY covers that.

import package::shared::math::{EPSILON};
import package::shared::triangle::{Triangle};

const APART: u32 = 0u;
const MEET: u32 = 1u;
const OPEN: u32 = 2u;

// 40 u.
const VOLUME_ULPS: f32 = 20.0;
const TINY: f32 = 7.5e-37;

// A triangle by one of its corners and the edges from there to the second and the third one.
struct Fan {
  corner: vec3f,
  second: vec3f,
  third: vec3f,
}

// A and B in A's frame; `error` is that of B's corner. Triangles are APART if they are certain to be farther apart than
// `margin`. If `isExact`, which takes a margin of 0, they MEET if this is certain.
fn classifyTriangles(a: Triangle, b: Fan, error: f32, margin: f32, isExact: bool) -> u32 {
  // Corners relative to A's first one, p0.
  let p1 = a.b - a.a;
  let p2 = a.c - a.a;
  let q0 = b.corner - a.a;
  let q1 = q0 + b.second;
  let q2 = q0 + b.third;
  let sizesA = vec2f(sizeOfVector(p1), sizeOfVector(p2));
  let sizesB = vec2f(sizeOfVector(b.second), sizeOfVector(b.third));
  let reach = error + sizeOfVector(q0) + max(sizesA.x, sizesA.y) + max(sizesB.x, sizesB.y);
  let normalA = cross(p1, p2);
  let roomOverA = errorOfVolume(normalA, sizesA, reach, error);
  let sidesB = vec3f(dot(normalA, q0), dot(normalA, q1), dot(normalA, q2));
  let normalB = cross(b.second, b.third);
  let roomOverB = errorOfVolume(normalB, sizesB, reach, error);
  let sidesA = vec3f(-dot(normalB, q0), dot(normalB, p1 - q0), dot(normalB, p2 - q0));
  let isApart = areOnOneSide(sidesB, margin * sizeOfVector(normalA) + roomOverA) ||
      areOnOneSide(sidesA, margin * sizeOfVector(normalB) + roomOverB);
  if (isApart) {
    return APART;
  }
  let leastSides = min(abs(sidesA) - roomOverB, abs(sidesB) - roomOverA);
  if (!isExact || !(min(leastSides.x, min(leastSides.y, leastSides.z)) > 0.0)) {
    return OPEN;
  }
  // Turned so that the first corner of each is alone on its side, and that both are above or both below.
  let ofA = turned(Fan(vec3f(0.0), p1, p2), sidesA > vec3f(0.0));
  var ofB = turned(Fan(q0, b.second, b.third), sidesB > vec3f(0.0));
  let isAbove = isFirstAbove(sidesB > vec3f(0.0));
  if (isAbove != isFirstAbove(sidesA > vec3f(0.0))) {
    ofB = Fan(ofB.corner, ofB.third, ofB.second);
  }
  let between = ofB.corner - ofA.corner;
  let lowProduct = cross(ofA.second, ofB.second);
  let highProduct = cross(ofB.third, ofA.third);
  // Edges of a triangle are no longer than two of them together.
  let sizes = vec2f(sizesA.x + sizesA.y, sizesB.x + sizesB.y);
  let order = select(-1.0, 1.0, isAbove) * vec2f(dot(lowProduct, between), dot(highProduct, between));
  let rooms = vec2f(
    errorOfVolume(lowProduct, sizes, reach, error),
    errorOfVolume(highProduct, sizes, reach, error),
  );
  if (order.x < -rooms.x || order.y < -rooms.y) {
    return APART;
  }
  return select(OPEN, MEET, order.x > rooms.x && order.y > rooms.y);
}

fn sizeOfVector(v: vec3f) -> f32 {
  return abs(v.x) + abs(v.y) + abs(v.z);
}

// Of the volume of two edges of these sizes, whose cross product is `product`, and a vector that has the error of the
// first corner.
fn errorOfVolume(product: vec3f, sizes: vec2f, reach: f32, error: f32) -> f32 {
  return error * sizeOfVector(product) + VOLUME_ULPS * EPSILON * sizes.x * sizes.y * reach + TINY * (1.0 + reach);
}

// Whether all three volumes are above `room`, or all below -room.
fn areOnOneSide(sides: vec3f, room: f32) -> bool {
  return min(sides.x, min(sides.y, sides.z)) > room || max(sides.x, max(sides.y, sides.z)) < -room;
}

// Of three corners on both sides of a plane, whether the one that is alone is above it.
fn isFirstAbove(areAbove: vec3<bool>) -> bool {
  return u32(areAbove.x) + u32(areAbove.y) + u32(areAbove.z) == 1u;
}

// The triangle, beginning with the corner that is alone on its side.
fn turned(t: Fan, areAbove: vec3<bool>) -> Fan {
  if (areAbove.y == areAbove.z) {
    return t;
  }
  if (areAbove.x == areAbove.z) {
    return Fan(t.corner + t.second, t.third - t.second, -t.second);
  }
  return Fan(t.corner + t.third, -t.third, t.second - t.third);
}
