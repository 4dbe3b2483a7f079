// The point of a simplex in 2-D nearest to the origin, and the corner or edge of it that holds that point. The
// last point is the newest, without which the nearest edge can't be: only edges at it are tried, of the triangle two.

import package::shared::constants::{INSIDE_SLACK_ULPS, PLANAR_FLAT_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, leftOf};
import package::planar::support::{Point};

struct Simplex {
  a: Point,
  b: Point,
  c: Point,
  // The weights of a and b in the nearest point.
  weights: vec2f,
  count: u32,
}

struct SimplexStep {
  simplex: Simplex,
  // Length of the nearest point's vector, and its direction, which of an edge is the edge's normal, however short the
  // vector is.
  distance: f32,
  direction: vec2f,
  encloses: bool,
}

// The point of the edge from the newest corner to an older one that is nearest to the origin.
struct EdgePoint {
  distance: f32,
  direction: vec2f,
  // The weight of the older corner: 0 or 1 if a corner is nearest.
  weight: f32,
  // The edge's direction.
  along: vec2f,
}

fn nearestOnEdge(newest: vec2f, older: vec2f) -> EdgePoint {
  let between = older - newest;
  let length = length(between);
  let along = between / max(length, 1e-30);
  let foot = -dot(newest, along);
  let slack = INSIDE_SLACK_ULPS * EPSILON;
  if (length > 0.0 && foot > -slack && foot < length + slack) {
    let across = leftOf(along);
    let level = dot(newest, across);
    let weight = clamp(foot / length, EPSILON, 1.0 - EPSILON);
    return EdgePoint(abs(level), select(across, -across, level < 0.0), weight, along);
  }
  let isOlder = foot > 0.5 * length;
  let nearest = select(newest, older, isOlder);
  let distance = sqrt(dot(nearest, nearest));
  return EdgePoint(distance, nearest / max(distance, 1e-30), select(0.0, 1.0, isOlder), along);
}

// Whether the origin lies strictly on the side of the edge that a third corner is on, which is far enough from it for
// that to mean something.
fn isBelow(edge: EdgePoint, newest: vec2f, third: vec2f) -> bool {
  let level = -cross2(edge.along, newest);
  let rise = cross2(edge.along, third - newest);
  return abs(rise) > PLANAR_FLAT_ULPS * EPSILON && level * rise > 0.0;
}

// Of a simplex of two or three points, as `append` makes it.
fn nearestOnSimplex(s: Simplex) -> SimplexStep {
  var edge = nearestOnEdge(s.c.position, s.a.position);
  var older = s.a;
  if (s.count > 2u) {
    let toB = nearestOnEdge(s.c.position, s.b.position);
    if (isBelow(edge, s.c.position, s.b.position) && isBelow(toB, s.c.position, s.a.position)) {
      return SimplexStep(s, 0.0, vec2f(1.0, 0.0), true);
    }
    if (toB.distance < edge.distance) {
      edge = toB;
      older = s.b;
    }
  }
  var first = older;
  var second = s.c;
  if (edge.weight == 0.0) {
    first = s.c;
  } else if (edge.weight == 1.0) {
    second = older;
  }
  let isCorner = edge.weight == 0.0 || edge.weight == 1.0;
  let weights = select(vec2f(edge.weight, 1.0 - edge.weight), vec2f(1.0, 0.0), isCorner);
  return SimplexStep(
    Simplex(first, second, second, weights, select(2u, 1u, isCorner)), edge.distance, edge.direction, false
  );
}

// Makes a point the newest, which is always c.
fn append(s: Simplex, point: Point) -> Simplex {
  if (s.count == 1u) {
    return Simplex(s.a, point, point, s.weights, 2u);
  }
  return Simplex(s.a, s.b, point, s.weights, 3u);
}
