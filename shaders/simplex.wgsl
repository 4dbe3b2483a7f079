// The point of a simplex nearest to the origin, and the smallest face of the simplex that holds it.
//
// Follows Ericson, Real-Time Collision Detection (2005), 5.1.5 and 9.5, with one departure for f32: a triangle is solved in an
// orthonormal frame of its own plane (Gram-Schmidt), so that errors grow with distance / height and not with its square,
// and the nearest vector is taken perpendicular to the face by construction. That makes supports along it agree on all
// vertices of the face to rounding, however thin the face is, which is what lets GJK and EPA stop in f32. For the same
// reason an origin that projects onto the border of a face counts as inside: the lesser face's nearest vector has the
// rounding of its own length in its direction, the greater one's has not.

import package::shared::constants::{SLIVER_ULPS, FLAT_ULPS, INSIDE_SLACK_ULPS};
import package::shared::math::{EPSILON};
import package::shared::support::{Point};

// Weight of a vertex that counts although it has none.
const LEAST_WEIGHT: f32 = 1e-30;

struct Simplex {
  a: Point,
  b: Point,
  c: Point,
  d: Point,
  // Barycentric coordinates of the nearest point.
  weights: vec4f,
  count: u32,
}

// Nearest point of a triangle a, b, c or of a part of it.
struct Nearest {
  point: vec3f,
  // Unit normal, (b - a) x (c - a); zero for a triangle without an inside.
  normal: vec3f,
  weights: vec3f,
}

fn nearestOnSegment(a: vec3f, b: vec3f) -> Nearest {
  let ab = b - a;
  let length = length(ab);
  if (length == 0.0) {
    return Nearest(a, vec3f(0.0), vec3f(1.0, 0.0, 0.0));
  }
  let u = ab / length;
  let along = -dot(a, u);
  let slack = INSIDE_SLACK_ULPS * EPSILON;
  if (along <= -slack) {
    return Nearest(a, vec3f(0.0), vec3f(1.0, 0.0, 0.0));
  }
  if (along >= length + slack) {
    return Nearest(b, vec3f(0.0), vec3f(0.0, 1.0, 0.0));
  }
  // From the nearer end, and once more for what rounding left along u.
  let end = select(a, b, along > 0.5 * length);
  let v = end - u * dot(end, u);
  let t = clamp(along / length, LEAST_WEIGHT, 1.0 - EPSILON);
  return Nearest(v - u * dot(v, u), vec3f(0.0), vec3f(1.0 - t, t, 0.0));
}

fn nearestOnTriangle(a: vec3f, b: vec3f, c: vec3f) -> Nearest {
  return nearestOnNewest(a, b, c, false);
}

// The same; with `skipsAB`, the edge a, b is not tried.
fn nearestOnNewest(a: vec3f, b: vec3f, c: vec3f, skipsAB: bool) -> Nearest {
  let ab = b - a;
  let ac = c - a;
  let lengthAB = length(ab);
  let u = ab / max(lengthAB, 1e-30);
  let acAlong = dot(ac, u);
  // Twice: what the first subtraction leaves along u is small beside ac, but not beside the height of a thin triangle.
  var acAcross = ac - u * acAlong;
  acAcross -= u * dot(acAcross, u);
  let height = length(acAcross);
  var normal = vec3f(0.0);
  if (lengthAB > 0.0 && height > SLIVER_ULPS * EPSILON * max(lengthAB, length(ac))) {
    let v = acAcross / height;
    normal = normalize(cross(u, v));
    // The origin's coordinates in the frame a; u, v.
    let x = -dot(a, u);
    let y = -dot(a, v);
    let weightC = y / height;
    let weightB = (x - weightC * acAlong) / lengthAB;
    let weightA = 1.0 - weightB - weightC;
    // A weight is the origin's distance from the edge in question over the triangle's height above that edge.
    let slack = INSIDE_SLACK_ULPS * EPSILON;
    let area = lengthAB * height;
    if (weightA * area >= -slack * distance(b, c) && weightB * area >= -slack * length(ac) &&
        weightC * area >= -slack * lengthAB) {
      let weights = max(vec3f(weightA, weightB, weightC), vec3f(LEAST_WEIGHT));
      return Nearest(normal * dot(normal, a), normal, weights / (weights.x + weights.y + weights.z));
    }
  }
  let onAB = nearestOnSegment(a, b);
  let onBC = nearestOnSegment(b, c);
  let onCA = nearestOnSegment(c, a);
  let distanceAB = select(dot(onAB.point, onAB.point), 1e30, skipsAB);
  let distanceBC = dot(onBC.point, onBC.point);
  let distanceCA = dot(onCA.point, onCA.point);
  if (distanceAB <= distanceBC && distanceAB <= distanceCA) {
    return Nearest(onAB.point, normal, onAB.weights);
  }
  if (distanceBC <= distanceCA) {
    return Nearest(onBC.point, normal, onBC.weights.zxy);
  }
  return Nearest(onCA.point, normal, onCA.weights.yzx);
}

// Whether the origin lies strictly on d's side of the plane through the triangle that `face` was made of, and the
// tetrahedron is high enough over it for that to mean something.
fn isInside(face: Nearest, onFace: vec3f, opposite: vec3f) -> bool {
  let height = dot(face.normal, opposite - onFace);
  let origin = -dot(face.normal, onFace);
  return abs(height) > FLAT_ULPS * EPSILON && origin * height > 0.0;
}

// What nearestOnSimplex found.
struct SimplexStep {
  simplex: Simplex,
  // Nearest point of the simplex; zero when it encloses the origin.
  point: vec3f,
  encloses: bool,
}

// The last point of the simplex is the newest: in exact arithmetic the nearest face contains it, so only those faces are
// tried. Old ones of nearly the same distance would win by rounding and bring the same point again.
fn nearestOnSimplex(s: Simplex) -> SimplexStep {
  if (s.count == 1u) {
    return SimplexStep(Simplex(s.a, s.b, s.c, s.d, vec4f(1.0, 0.0, 0.0, 0.0), 1u), s.a.position, false);
  }
  if (s.count == 2u) {
    let on = nearestOnSegment(s.a.position, s.b.position);
    return SimplexStep(reduce(s.a, s.b, s.c, on.weights), on.point, false);
  }
  if (s.count == 3u) {
    let on = nearestOnNewest(s.a.position, s.b.position, s.c.position, true);
    return SimplexStep(reduce(s.a, s.b, s.c, on.weights), on.point, false);
  }
  let a = s.a.position;
  let b = s.b.position;
  let c = s.c.position;
  let d = s.d.position;
  let onABD = nearestOnNewest(a, b, d, true);
  let onBCD = nearestOnNewest(b, c, d, true);
  let onCAD = nearestOnNewest(c, a, d, true);
  if (isInside(onABD, d, c) && isInside(onBCD, d, a) && isInside(onCAD, d, b)) {
    return SimplexStep(s, vec3f(0.0), true);
  }
  let distanceABD = dot(onABD.point, onABD.point);
  let distanceBCD = dot(onBCD.point, onBCD.point);
  let distanceCAD = dot(onCAD.point, onCAD.point);
  if (distanceABD <= distanceBCD && distanceABD <= distanceCAD) {
    return SimplexStep(reduce(s.a, s.b, s.d, onABD.weights), onABD.point, false);
  }
  if (distanceBCD <= distanceCAD) {
    return SimplexStep(reduce(s.b, s.c, s.d, onBCD.weights), onBCD.point, false);
  }
  return SimplexStep(reduce(s.c, s.a, s.d, onCAD.weights), onCAD.point, false);
}

// The simplex of those of three points that have weight, in the same order.
fn reduce(a: Point, b: Point, c: Point, weights: vec3f) -> Simplex {
  var s = Simplex(a, b, c, c, vec4f(weights, 0.0), 3u);
  if (s.weights.x == 0.0) {
    s.a = s.b;
    s.b = s.c;
    s.weights = vec4f(s.weights.yz, 0.0, 0.0);
    s.count -= 1u;
    if (s.weights.x == 0.0) {
      s.a = s.b;
      s.weights = vec4f(s.weights.y, 0.0, 0.0, 0.0);
      s.count -= 1u;
    }
  }
  if (s.count == 3u && s.weights.y == 0.0) {
    s.b = s.c;
    s.weights = vec4f(s.weights.x, s.weights.z, 0.0, 0.0);
    s.count = 2u;
  }
  if (s.count >= 2u && weights.z == 0.0) {
    s.count -= 1u;
  }
  return s;
}
