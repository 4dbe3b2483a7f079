// The point of a simplex nearest to the origin, and the smallest face of the simplex that holds it.
//
// Follows Ericson, Real-Time Collision Detection (2005), 9.5, with the departure of triangle.wgsl: each face is solved
// in an orthonormal frame of its plane, and what lies on the border of a face counts as inside.
//
// The last point of the simplex is the newest: in exact arithmetic the nearest face contains it, so only those faces
// are tried. Old ones of nearly the same distance would win by rounding and bring the same point again. A tetrahedron
// has three edges and three faces at its newest vertex n, which share what they need:
//
//          p0            edge i runs from n to p(i)
//         / | \          face i has the edges i and i + 1
//       f2  n  f0
//       / / f1 \ \
//     p2 ------- p1

import package::shared::constants::{SLIVER_ULPS, FLAT_ULPS, INSIDE_SLACK_ULPS};
import package::shared::math::{EPSILON};
import package::shared::support::{Point};
import package::triangle::{LEAST_WEIGHT};

struct Simplex {
  a: Point,
  b: Point,
  c: Point,
  d: Point,
  // Barycentric coordinates of the nearest point.
  weights: vec4f,
  count: u32,
}

// What nearestOnSimplex found.
struct SimplexStep {
  simplex: Simplex,
  // Nearest point of the simplex; zero when it encloses the origin.
  point: vec3f,
  encloses: bool,
}

// Squared distance of what is not there.
const NOWHERE: f32 = 1e30;

// The edge from the newest vertex to an older one.
struct Edge {
  // Unit vector along it; zero for vertices in one place.
  along: vec3f,
  length: f32,
  // Its point nearest to the origin, that point's squared distance, and the weight of the older vertex in it.
  point: vec3f,
  squared: f32,
  weight: f32,
}

fn solveEdge(newest: vec3f, older: vec3f) -> Edge {
  let between = older - newest;
  let length = length(between);
  let u = between / max(length, 1e-30);
  let foot = -dot(newest, u);
  // From the nearer end, and once more for what rounding left along u.
  var point = select(newest, older, foot > 0.5 * length);
  var weight = select(0.0, 1.0, foot > 0.5 * length);
  let slack = INSIDE_SLACK_ULPS * EPSILON;
  if (length > 0.0 && foot > -slack && foot < length + slack) {
    point -= u * dot(point, u);
    point -= u * dot(point, u);
    weight = clamp(foot / length, LEAST_WEIGHT, 1.0 - EPSILON);
  }
  return Edge(u, length, point, dot(point, point), weight);
}

// The face of the newest vertex n and the older ones p and q.
struct Face {
  // The origin's projection on its plane, and its squared distance where that lies inside the face.
  point: vec3f,
  squared: f32,
  // The weights of p, q and n.
  weights: vec3f,
  // The origin lies strictly on the fourth vertex' side of its plane, and the tetrahedron is high enough over it for
  // that to mean something.
  isBelow: bool,
}

// `toP` and `toQ` are the edges from n. `fourth` is the remaining vertex of a tetrahedron, any vertex of a triangle.
fn solveFace(newest: vec3f, p: vec3f, toP: Edge, q: vec3f, toQ: Edge, fourth: vec3f) -> Face {
  var face: Face;
  face.squared = NOWHERE;
  // u = toP.along; q lies `along` u and `height` across it.
  let u = toP.along;
  let nq = q - newest;
  let along = dot(nq, u);
  // Twice: what the first subtraction leaves along u is small beside nq, but not beside the height of a thin triangle.
  var across = nq - u * along;
  across -= u * dot(across, u);
  let height = length(across);
  if (toP.length == 0.0 || height <= SLIVER_ULPS * EPSILON * max(toP.length, toQ.length)) {
    return face;
  }
  let v = across / height;
  let normal = cross(u, v);
  let level = dot(normal, newest);
  let rise = dot(normal, fourth - newest);
  face.point = normal * level;
  face.isBelow = abs(rise) > FLAT_ULPS * EPSILON && level * rise < 0.0;
  // Barycentric coordinates of the projection. A weight is the distance from the edge in question over the triangle's
  // height above that edge.
  let weightQ = -dot(newest, v) / height;
  let weightP = (-dot(newest, u) - weightQ * along) / toP.length;
  let weights = vec3f(weightP, weightQ, 1.0 - weightP - weightQ);
  let outside = weights * (toP.length * height) +
      INSIDE_SLACK_ULPS * EPSILON * vec3f(toQ.length, toP.length, distance(p, q));
  if (all(outside >= vec3f(0.0))) {
    face.squared = level * level;
    face.weights = weights;
    if (any(weights < vec3f(0.0))) {
      // On the border: the plane's point with the weights of the edge that it lies on, as those of the plane are no
      // convex combination. Of a thin face, which weights are negative doesn't say which edge that is.
      let pq = q - p;
      let t = clamp(-dot(p, pq) / dot(pq, pq), 0.0, 1.0);
      let offPQ = distance(p + pq * t, face.point);
      let offP = distance(toP.point, face.point);
      let offQ = distance(toQ.point, face.point);
      face.weights = vec3f(1.0 - t, t, 0.0);
      if (offP <= min(offPQ, offQ)) {
        face.weights = vec3f(toP.weight, 0.0, 1.0 - toP.weight);
      } else if (offQ <= offPQ) {
        face.weights = vec3f(0.0, toQ.weight, 1.0 - toQ.weight);
      }
    }
    face.weights = max(face.weights, vec3f(LEAST_WEIGHT));
  }
  return face;
}

fn nearestOnSimplex(s: Simplex) -> SimplexStep {
  let isTriangle = s.count > 2u;
  let isTetrahedron = s.count == 4u;
  var newest = s.b;
  if (isTetrahedron) {
    newest = s.d;
  } else if (isTriangle) {
    newest = s.c;
  }
  let n = newest.position;
  let a = s.a.position;
  let b = s.b.position;
  let c = s.c.position;
  let toA = solveEdge(n, a);
  var toB: Edge;
  var toC: Edge;
  var faceAB = Face(vec3f(0.0), NOWHERE, vec3f(0.0), false);
  var faceBC = faceAB;
  var faceCA = faceAB;
  toB.squared = NOWHERE;
  toC.squared = NOWHERE;
  if (isTriangle) {
    toB = solveEdge(n, b);
    faceAB = solveFace(n, a, toA, b, toB, c);
  }
  if (isTetrahedron) {
    toC = solveEdge(n, c);
    faceBC = solveFace(n, b, toB, c, toC, a);
    faceCA = solveFace(n, c, toC, a, toA, b);
    if (faceAB.isBelow && faceBC.isBelow && faceCA.isBelow) {
      return SimplexStep(s, vec3f(0.0), true);
    }
  }
  // In exact arithmetic no edge is nearer than a face of it that holds the origin's projection.
  let holdsAB = faceAB.squared < NOWHERE;
  let holdsBC = faceBC.squared < NOWHERE;
  let holdsCA = faceCA.squared < NOWHERE;
  var squared = NOWHERE;
  var first = s.a;
  var second = s.a;
  var weights = vec3f(0.0);
  var step: SimplexStep;
  if (!holdsCA && !holdsAB) {
    squared = toA.squared;
    step.point = toA.point;
    weights = vec3f(toA.weight, 0.0, 1.0 - toA.weight);
  }
  if (!holdsAB && !holdsBC && toB.squared < squared) {
    squared = toB.squared;
    step.point = toB.point;
    first = s.b;
    weights = vec3f(toB.weight, 0.0, 1.0 - toB.weight);
  }
  if (!holdsBC && !holdsCA && toC.squared < squared) {
    squared = toC.squared;
    step.point = toC.point;
    first = s.c;
    weights = vec3f(toC.weight, 0.0, 1.0 - toC.weight);
  }
  if (faceAB.squared < squared) {
    squared = faceAB.squared;
    step.point = faceAB.point;
    first = s.a;
    second = s.b;
    weights = faceAB.weights;
  }
  if (faceBC.squared < squared) {
    squared = faceBC.squared;
    step.point = faceBC.point;
    first = s.b;
    second = s.c;
    weights = faceBC.weights;
  }
  if (faceCA.squared < squared) {
    step.point = faceCA.point;
    first = s.c;
    second = s.a;
    weights = faceCA.weights;
  }
  // Those of first, second and newest that have weight, in this order.
  if (weights.y != 0.0) {
    step.simplex = Simplex(first, second, newest, newest, vec4f(weights, 0.0), 3u);
  } else if (weights.x == 0.0) {
    step.simplex = Simplex(newest, newest, newest, newest, vec4f(1.0, 0.0, 0.0, 0.0), 1u);
  } else if (weights.z == 0.0) {
    step.simplex = Simplex(first, first, first, first, vec4f(1.0, 0.0, 0.0, 0.0), 1u);
  } else {
    step.simplex = Simplex(first, newest, newest, newest, vec4f(weights.xz, 0.0, 0.0), 2u);
  }
  return step;
}

// Makes a point the newest.
fn append(s: Simplex, point: Point) -> Simplex {
  var longer = s;
  if (s.count == 1u) {
    longer.b = point;
  } else if (s.count == 2u) {
    longer.c = point;
  } else {
    longer.d = point;
  }
  longer.count += 1u;
  return longer;
}
