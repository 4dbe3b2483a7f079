// The distance of two triangles, with a nearest point on each: the least of nine pairs of edges and of six corners over
// the other triangle's face, and 0 for triangles that share a point.
//
// Nearest points of two edges are those of the triangles if both third corners are behind them (Larsen, Gottschalk,
// Lin, Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999). This ends most searches for triangles that
// are apart at the first edges. Otherwise all features count. Each gives points of the triangles, and thus an upper
// bound, and the nearest one gives the distance to rounding. Of three corners, only the one nearest to the other
// triangle's plane can be nearest to its face.

import package::shared::constants::{TRIANGLE_BEHIND_ULPS};
import package::shared::math::{EPSILON, inversePowerOfTwo, powerOfTwoBelow};
import package::shared::triangle::{Triangle};
import package::triangle-intersection::{triangleIntersection};
import package::triangle-intersection::outline::{outlineOf, placeIn, pointAt};

struct TriangleDistance {
  // 0 if the triangles share a point to rounding.
  distance: f32,
  // On triangles A and B; the same common point if they share one.
  pointA: vec3f,
  pointB: vec3f,
}

// Points of both triangles, and whether no others can be nearer.
struct NearestPoints {
  distance: f32,
  first: vec3f,
  second: vec3f,
  isNearest: bool,
}

// Corners are relative to a point nearby, and may coincide or be collinear.
fn triangleDistance(a: Triangle, b: Triangle) -> TriangleDistance {
  let size = extent(a, b);
  // Lengths about 1, of which no fourth power is lost.
  let unit = powerOfTwoBelow(size);
  let toUnit = inversePowerOfTwo(unit);
  let slack = TRIANGLE_BEHIND_ULPS * EPSILON * size * toUnit;
  // As seen from A's first corner. Edges that face the other triangle come first.
  let scaledA = Triangle(vec3f(0.0), (a.b - a.a) * toUnit, (a.c - a.a) * toUnit);
  let scaledB = Triangle((b.a - a.a) * toUnit, (b.b - a.a) * toUnit, (b.c - a.a) * toUnit);
  let direction = scaledB.a + scaledB.b + scaledB.c - scaledA.b - scaledA.c;
  var edgeA = facingEdge(scaledA, direction);
  let firstB = facingEdge(scaledB, -direction);
  var nearest = NearestPoints(1e30, vec3f(0.0), vec3f(0.0), false);
  for (var i = 0u; i < 3u && !nearest.isNearest; i++) {
    var edgeB = firstB;
    for (var j = 0u; j < 3u && !nearest.isNearest; j++) {
      nearest = nearer(nearest, nearestOnEdges(edgeA, edgeB, slack * size * toUnit));
      edgeB = Triangle(edgeB.b, edgeB.c, edgeB.a);
    }
    edgeA = Triangle(edgeA.b, edgeA.c, edgeA.a);
  }
  if (!nearest.isNearest) {
    nearest = nearer(nearest, nearestOnFace(scaledA, scaledB, slack));
  }
  if (!nearest.isNearest) {
    let onB = nearestOnFace(scaledB, scaledA, slack);
    nearest = nearer(nearest, NearestPoints(onB.distance, onB.second, onB.first, onB.isNearest));
  }
  if (!nearest.isNearest) {
    let intersection = triangleIntersection(scaledA, scaledB);
    if (intersection.isHit) {
      nearest = NearestPoints(0.0, intersection.start, intersection.start, true);
    }
  }
  return TriangleDistance(nearest.distance * unit, a.a + nearest.first * unit, a.a + nearest.second * unit);
}

// The greatest coordinate of the corners, as seen from a's first.
fn extent(a: Triangle, b: Triangle) -> f32 {
  let ofA = max(abs(a.b - a.a), abs(a.c - a.a));
  let ofB = max(abs(b.a - a.a), max(abs(b.b - a.a), abs(b.c - a.a)));
  let most = max(ofA, ofB);
  return max(most.x, max(most.y, most.z));
}

// The triangle with its corners turned so that its edge a, b is opposite to the corner that is least far along a
// direction.
fn facingEdge(t: Triangle, direction: vec3f) -> Triangle {
  let along = vec3f(dot(direction, t.a), dot(direction, t.b), dot(direction, t.c));
  if (along.x <= min(along.y, along.z)) {
    return Triangle(t.b, t.c, t.a);
  }
  if (along.y <= along.z) {
    return Triangle(t.c, t.a, t.b);
  }
  return t;
}

fn nearer(nearest: NearestPoints, other: NearestPoints) -> NearestPoints {
  var result = nearest;
  if (other.distance < nearest.distance) {
    result = other;
  }
  result.isNearest = nearest.isNearest || other.isNearest;
  return result;
}

// Nearest points of the edges a, b of both triangles. They are the triangles' if the corners c are behind them.
fn nearestOnEdges(first: Triangle, second: Triangle, behind: f32) -> NearestPoints {
  let u = first.b - first.a;
  let v = second.b - second.a;
  let r = second.a - first.a;
  let uu = dot(u, u);
  let vv = dot(v, v);
  let uv = dot(u, v);
  // The common perpendicular. On the second line t is where it stands, which no rounding of uu * vv - uv * uv spoils.
  let n = cross(u, v);
  let nn = dot(n, n);
  var t = 0.0;
  if (nn > 0.0) {
    t = clamp(dot(cross(r, u), n) / nn, 0.0, 1.0);
  }
  var foot = 0.0;
  if (uu > 0.0) {
    foot = (dot(u, r) + t * uv) / uu;
  }
  let s = clamp(foot, 0.0, 1.0);
  if (s != foot || nn == 0.0) {
    t = 0.0;
    if (vv > 0.0) {
      t = clamp((s * uv - dot(v, r)) / vv, 0.0, 1.0);
    }
  }
  let onFirst = first.a + u * s;
  let onSecond = second.a + v * t;
  let gap = r + v * t - u * s;
  let isNearest = dot(gap, first.c - onFirst) < -behind && dot(gap, second.c - onSecond) > behind;
  return NearestPoints(length(gap), onFirst, onSecond, isNearest);
}

// The corner of `other` nearest to the plane of `face`, and the point below it, if that is in the face. They are the
// nearest of the triangles if all of `other` is on one side.
fn nearestOnFace(face: Triangle, other: Triangle, slack: f32) -> NearestPoints {
  let outline = outlineOf(face, other);
  let p = placeIn(outline, other.a);
  let q = placeIn(outline, other.b);
  let r = placeIn(outline, other.c);
  var nearest = NearestPoints(1e30, vec3f(0.0), vec3f(0.0), false);
  var place = p;
  nearest.second = other.a;
  if (abs(q.z) < abs(place.z)) {
    place = q;
    nearest.second = other.b;
  }
  if (abs(r.z) < abs(place.z)) {
    place = r;
    nearest.second = other.c;
  }
  let base = outline.frame.base;
  let along = outline.frame.along;
  let height = outline.frame.height;
  let isInside = place.y >= 0.0 && height * place.x >= along * place.y &&
    height * (base - place.x) >= (base - along) * place.y;
  if (outline.frame.hasInside && isInside) {
    nearest.distance = abs(place.z);
    nearest.first = pointAt(outline, place.xy);
    nearest.isNearest = min(p.z, min(q.z, r.z)) > slack || max(p.z, max(q.z, r.z)) < -slack;
  }
  return nearest;
}
