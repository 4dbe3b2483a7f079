// The point of a segment or triangle nearest to the origin.
//
// Follows Ericson, Real-Time Collision Detection (2005), 5.1.5, with one departure for f32: a triangle is solved in an
// orthonormal frame of its own plane (Gram-Schmidt), so that errors grow with distance / height and not with its
// square, and the nearest vector is taken perpendicular to the face by construction. That makes supports along it agree
// on all vertices of the face to rounding, however thin the face is, which is what lets GJK and EPA stop in f32. For
// the same reason an origin that projects onto the border of a face counts as inside: the lesser face's nearest vector
// has the rounding of its own length in its direction, the greater one's has not.

import package::shared::constants::{SLIVER_ULPS, INSIDE_SLACK_ULPS};
import package::shared::math::{EPSILON};

// Weight of a vertex that counts although it has none.
const LEAST_WEIGHT: f32 = 1e-30;

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
  let frame = triangleFrame(a, b, c);
  let onPlane = frame.normal * dot(frame.normal, a);
  var isInBorder = false;
  if (frame.hasInside) {
    // A weight is the origin's distance from the edge in question over the triangle's height above that edge.
    let weights = planeWeights(frame, a);
    let scaledWeights = weights * (frame.base * frame.height) + INSIDE_SLACK_ULPS * EPSILON *
      vec3f(distance(b, c), distance(a, c), frame.base);
    if (all(weights >= vec3f(0.0))) {
      return Nearest(onPlane, frame.normal, max(weights, vec3f(LEAST_WEIGHT)));
    }
    isInBorder = all(scaledWeights >= vec3f(0.0));
  }
  // Edges b, c and c, a and a, b.
  var nearest: Nearest;
  var nearestDistance = 1e30;
  for (var e = 0u; e < 3u; e++) {
    let start = select(select(a, c, e == 1u), b, e == 0u);
    let end = select(select(b, a, e == 1u), c, e == 0u);
    let on = nearestOnSegment(start, end);
    let distance = dot(on.point, on.point);
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = on;
      nearest.weights = select(select(on.weights, on.weights.yzx, e == 1u), on.weights.zxy, e == 0u);
    }
  }
  nearest.normal = frame.normal;
  if (isInBorder) {
    // The plane's vector with the edge's weights: those of the plane are no convex combination.
    nearest.point = onPlane;
    nearest.weights = max(nearest.weights, vec3f(LEAST_WEIGHT));
  }
  return nearest;
}

// An orthonormal frame of the plane through a, b, c: u along a, b; c lies `along` u and `height` across it.
struct TriangleFrame {
  u: vec3f,
  base: f32,
  v: vec3f,
  height: f32,
  // u x v; zero for a triangle without an inside.
  normal: vec3f,
  along: f32,
  hasInside: bool,
}

fn triangleFrame(a: vec3f, b: vec3f, c: vec3f) -> TriangleFrame {
  var frame: TriangleFrame;
  let ab = b - a;
  let ac = c - a;
  frame.base = length(ab);
  frame.u = ab / max(frame.base, 1e-30);
  frame.along = dot(ac, frame.u);
  // Twice: what the first subtraction leaves along u is small beside ac, but not beside the height of a thin triangle.
  var across = ac - frame.u * frame.along;
  across -= frame.u * dot(across, frame.u);
  frame.height = length(across);
  frame.hasInside = frame.base > 0.0 && frame.height > SLIVER_ULPS * EPSILON * max(frame.base, length(ac));
  if (frame.hasInside) {
    frame.v = across / frame.height;
    frame.normal = normalize(cross(frame.u, frame.v));
  }
  return frame;
}

// Barycentric coordinates of the origin's projection on the plane of the triangle whose first corner is a.
fn planeWeights(frame: TriangleFrame, a: vec3f) -> vec3f {
  // The origin's coordinates in the frame a; u, v.
  let x = -dot(a, frame.u);
  let y = -dot(a, frame.v);
  let weightC = y / frame.height;
  let weightB = (x - weightC * frame.along) / frame.base;
  return vec3f(1.0 - weightB - weightC, weightB, weightC);
}
