// Where a convex core that moves along a line comes within the target distance of another in 2-D, by expanding a
// polygon at the edge that the motion crosses. Source: Epicrelyt, "Collision Detection Using GJK and a Modified EPA"
// (forum post, 10 February 2021).
//
// The Minkowski difference B - A is enlarged by the target distance. A line through the origin along the motion exits
// it where the bodies touch: B has to go back by the length of the line inside to meet A first. So a polygon of points
// of the difference is expanded at the edge through which the line exits, not at the edge nearest to the origin as in
// epa.wgsl. Only that edge is kept: the new corner lies on one side of the line, and one of the two new edges is
// crossed. An edge along the line is not crossed; then its foremost corner counts.
//
// The rounding is not approximated by ever shorter edges. Each end of the edge is a corner of the cores' difference,
// with a normal along which it is farthest. Edges of the cores' difference are moved out by the target distance. If
// both ends have the same corner, the line exits through the arc around it.
//
// There is no starting point: the answer may be behind B.

import package::shared::constants::{EPA_EXIT_ULPS, EPA_SAME_ULPS, VELOCITY_EPA_MAX_ITERATIONS};
import package::shared::math::{EPSILON};
import package::planar::cast::{CastResult, PLANAR_CAST_MET, PLANAR_CAST_MISSED, PLANAR_CAST_STALLED};
import package::planar::math::{cross2, directionOf, leftOf, rightOf};
import package::planar::pair::{PlanarPair};
import package::planar::simplex::{Simplex};
import package::planar::support::{Point, differenceSupport};

// As castCores, but the line has no ends. Cores that come within the target distance by no more than `touchTolerance`
// slide past each other.
fn crossCores(pair: PlanarPair, direction: vec2f, targetDistance: f32, touchTolerance: f32) -> CastResult {
  var result: CastResult;
  result.state = PLANAR_CAST_STALLED;
  result.distance = targetDistance;
  // The ends of the edge, to the left of the line and to the right of it.
  var left = differenceSupport(pair, leftOf(direction));
  var right = differenceSupport(pair, rightOf(direction));
  result.iterations = 2u;
  result.normal = -direction;
  if (min(cross2(direction, left.position), -cross2(direction, right.position)) + targetDistance <= touchTolerance) {
    result.state = PLANAR_CAST_MISSED;
    return result;
  }
  if (cross2(direction, left.position - right.position) <= EPA_SAME_ULPS * EPSILON) {
    // The cores' difference is a segment along the line, or a point, and either end may have been found.
    result.iterations += 1u;
    return leavingArc(result, direction, targetDistance, differenceSupport(pair, direction));
  }
  for (; result.iterations < VELOCITY_EPA_MAX_ITERATIONS; ) {
    let chord = left.position - right.position;
    if (cross2(direction, chord) <= EPA_SAME_ULPS * EPSILON) {
      // One corner, or two in one place or one behind the other.
      if (dot(direction, chord) > 0.0) {
        right = left;
      }
      return leavingArc(result, direction, targetDistance, right);
    }
    let outward = rightOf(directionOf(chord, leftOf(direction)));
    let next = differenceSupport(pair, outward);
    result.iterations += 1u;
    result.normal = -outward;
    if (dot(outward, next.position - left.position) <= EPA_EXIT_ULPS * EPSILON) {
      // An edge of the difference: the line exits through it, or beside it through the arc around either end.
      if (cross2(direction, left.position + outward * targetDistance) < 0.0) {
        return leavingArc(result, direction, targetDistance, left);
      }
      if (cross2(direction, right.position + outward * targetDistance) > 0.0) {
        return leavingArc(result, direction, targetDistance, right);
      }
      return leavingEdge(result, direction, targetDistance, left, right);
    }
    if (cross2(direction, next.position + outward * targetDistance) > 0.0) {
      left = next;
    } else {
      right = next;
    }
  }
  return result;
}

// The line exits through the edge between two corners, whose normal is known.
fn leavingEdge(search: CastResult, direction: vec2f, targetDistance: f32, a: Point, b: Point) -> CastResult {
  var result = search;
  let normal = search.normal;
  let leave = (targetDistance - dot(normal, a.position)) / -dot(normal, direction);
  let chord = b.position - a.position;
  let share = clamp(
    dot(direction * leave + normal * targetDistance - a.position, chord) / dot(chord, chord), EPSILON, 1.0 - EPSILON
  );
  result.state = PLANAR_CAST_MET;
  result.travelled = -leave;
  result.direction = normal;
  result.simplex = Simplex(a, b, b, vec2f(1.0 - share, share), 2u);
  return result;
}

// The line exits through the arc around a corner. Without rounding, the normal is that of the last edge.
fn leavingArc(search: CastResult, direction: vec2f, targetDistance: f32, a: Point) -> CastResult {
  var result = search;
  let beside = cross2(direction, a.position);
  let ahead = sqrt(max((targetDistance - beside) * (targetDistance + beside), 0.0));
  if (targetDistance > 0.0) {
    // From the exit to the corner.
    result.normal = directionOf(leftOf(direction) * beside - direction * ahead, search.normal);
  }
  result.state = PLANAR_CAST_MET;
  result.travelled = -(dot(direction, a.position) + ahead);
  result.direction = result.normal;
  result.simplex = Simplex(a, a, a, vec2f(1.0, 0.0), 1u);
  return result;
}
