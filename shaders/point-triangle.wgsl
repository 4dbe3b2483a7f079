// The point of a triangle nearest to a point, and the direction in which they are apart: Ericson, Real-Time Collision
// Detection (2005), 5.1.5, in the triangle's own frame as in triangle.wgsl.
//
// There are two candidates: the triangle's normal, and the vector from the nearest point. Both are exact except for
// rounding, which rotates the first by EPSILON / the triangle's height over its longest side, and the second by EPSILON
// / the distance. The rotated normal moves the points apart by the distance times that. The rotated vector, once it is
// made perpendicular to the side, moves the supports apart by the height times that. So the normal is taken for points
// nearer than the height, and the vector for others. Just beside an edge the same holds, and supports tell which of the
// two it is, and from which edge. A degenerate triangle has only edges, and a point on it is apart along any
// perpendicular.

import package::shared::constants::{GJK_TOUCH_ULPS, LEAST_LENGTH};
import package::shared::math::{EPSILON, perpendicular};
import package::triangle::{nearestOnSegment, planeWeights, triangleFrame};

struct TrianglePoint {
  // Unit vector from the triangle to the point.
  normal: vec3f,
  // Bounds of the distance: what supports along the normal are apart, and what the points are.
  lower: f32,
  upper: f32,
  // On the triangle.
  position: vec3f,
}

// Corners may be one and the same: a segment or a point.
fn nearestToPoint(p: vec3f, cornerA: vec3f, cornerB: vec3f, cornerC: vec3f) -> TrianglePoint {
  // As seen from the point, a and b being the ends of the longest side.
  var a = cornerA - p;
  var b = cornerB - p;
  var c = cornerC - p;
  let sides = vec3f(distance(a, b), distance(b, c), distance(c, a));
  if (sides.y >= max(sides.x, sides.z)) {
    a = b;
    b = c;
    c = cornerA - p;
  } else if (sides.z > sides.x) {
    b = a;
    a = c;
    c = cornerB - p;
  }
  let frame = triangleFrame(a, b, c);
  let height = -dot(frame.normal, a);
  let upright = frame.normal * select(1.0, -1.0, height < 0.0);
  let uprightRoom = roomAlong(upright, a, b, c);
  var weights = vec3f(-1.0);
  if (frame.hasInside) {
    weights = planeWeights(frame, a);
  }
  if (all(weights >= vec3f(0.0))) {
    if (abs(height) <= frame.height) {
      return TrianglePoint(upright, uprightRoom, abs(height), p - frame.normal * height);
    }
    let onInside = mat3x3f(a, b, c) * weights;
    var towards = frame.u * dot(frame.u, onInside) - onInside;
    towards = normalize(towards - frame.u * dot(frame.u, towards));
    return TrianglePoint(towards, roomAlong(towards, a, b, c), length(onInside), p + onInside);
  }
  // The normal for a point that is on an edge to rounding: upright, or, without an inside, across the longest side. On
  // a single corner, any direction.
  let touch = select(LEAST_LENGTH, GJK_TOUCH_ULPS * EPSILON, frame.base > LEAST_LENGTH);
  var across = vec3f(1.0, 0.0, 0.0);
  if (frame.hasInside) {
    across = upright;
  } else if (frame.base > LEAST_LENGTH) {
    across = perpendicular(frame.u);
    across *= select(1.0, -1.0, dot(across, a) > 0.0);
  }
  // If several edges are equally near to rounding, the one whose bounds meet best is taken.
  var best = TrianglePoint(across, -1e30, 1e30, p);
  var nearestEdge = best;
  for (var e = 0u; e < 3u; e++) {
    let start = select(select(c, b, e == 1u), a, e == 0u);
    let end = select(select(a, c, e == 1u), b, e == 0u);
    let nearest = nearestOnSegment(start, end).point;
    let upper = length(nearest);
    let normal = select(across, -nearest / max(upper, LEAST_LENGTH), upper > touch);
    let room = roomAlong(normal, a, b, c);
    let found = TrianglePoint(normal, room, upper, p + nearest);
    if (upper - room < best.upper - best.lower) {
      best = found;
    }
    if (upper < nearestEdge.upper) {
      nearestEdge = found;
    }
  }
  if (frame.hasInside && abs(height) <= frame.height && nearestEdge.upper - uprightRoom < best.upper - best.lower) {
    return TrianglePoint(upright, uprightRoom, nearestEdge.upper, nearestEdge.position);
  }
  return best;
}

// How far the origin is beyond all three corners.
fn roomAlong(normal: vec3f, a: vec3f, b: vec3f, c: vec3f) -> f32 {
  return -max(dot(normal, a), max(dot(normal, b), dot(normal, c)));
}
