// The point of a simplex nearest to the origin, and the smallest face of the simplex that holds it.
//
// Follows Ericson, Real-Time Collision Detection (2005), 9.5, with the departure of triangle.wgsl: each face is solved
// in an orthonormal frame of its plane, and what lies on the border of a face counts as inside.
//
// In exact arithmetic the nearest face contains the newest point of the simplex, so only such faces are tried. Old ones
// of nearly the same distance would win by rounding and bring the same point again. A tetrahedron has three edges and
// three faces at its newest vertex n, which share what they need:
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
// Smaller squares have lost their precision: they may be subnormal numbers.
const LEAST_SQUARE: f32 = 1e-36;

// The edge from the newest vertex n to an older one.
struct Edge {
  // Unit vector along it; zero for vertices in one place.
  along: vec3f,
  length: f32,
  // Squared distance of the origin.
  squared: f32,
}

fn makeEdge(newest: vec3f, older: vec3f) -> Edge {
  let vector = older - newest;
  let inverse = inverseSqrt(max(squaredLength(vector), LEAST_SQUARE));
  let length = squaredLength(vector) * inverse;
  let along = vector * inverse;
  let nearest = newest + along * clamp(-dot(newest, along), 0.0, length);
  return Edge(along, length, squaredLength(nearest));
}

// The face of the newest vertex n and the older ones p and q.
struct Face {
  // Squared distance of the origin from its plane; NOWHERE unless the projection lies inside the face.
  squared: f32,
  // The origin lies strictly on the fourth vertex' side of its plane, and the tetrahedron is high enough over it for
  // that to mean something.
  isBelow: bool,
}

// `toFourth` is the edge from n to the fourth vertex of a tetrahedron, of which a triangle has none.
fn makeFace(newest: vec3f, p: vec3f, q: vec3f, toP: Edge, toQ: Edge, toFourth: Edge) -> Face {
  // What rounding left of it along p is not small beside the sine of a thin triangle's angle.
  var normal = cross(toP.along, toQ.along);
  normal -= toP.along * dot(normal, toP.along);
  let squaredSine = dot(normal, normal);
  let inverse = inverseSqrt(max(squaredSine, LEAST_SQUARE));
  normal *= inverse;
  let sine = squaredSine * inverse;
  let level = dot(normal, newest);
  let rise = dot(normal, toFourth.along) * toFourth.length;
  // Distances of the projection from the lines through n, to the inside, and from the third one times that edge's
  // length. The third follows from the other two and the area, but where p and q are close nothing would be left of it.
  let across = cross(newest, normal);
  let offP = dot(toQ.along, across);
  let offQ = -dot(toP.along, across);
  let third = q - p;
  let offThird = dot(normal, cross(p, third));
  let slack = INSIDE_SLACK_ULPS * EPSILON;
  let hasInside = toQ.length * sine > SLIVER_ULPS * EPSILON * max(toP.length, toQ.length) && toP.length > 0.0;
  let isInside = min(offP, offQ) >= -slack && offThird >= -slack * length(third);
  return Face(
    select(NOWHERE, level * level, hasInside && isInside), abs(rise) > FLAT_ULPS * EPSILON && level * rise < 0.0
  );
}

// Of the simplex of `newest` and the points of `s`, of which there are at most three.
fn nearestOnSimplex(s: Simplex, newest: Point) -> SimplexStep {
  let isTriangle = s.count > 1u;
  let isTetrahedron = s.count == 3u;
  let n = newest.position;
  // The nearest feature is the edge from n to `first` or the face of n, `first` and `second`.
  var first = newest;
  if (s.count > 0u) {
    first = s.a;
  }
  var second = s.b;
  var isFace = false;
  if (isTriangle) {
    let toA = makeEdge(n, s.a.position);
    let toB = makeEdge(n, s.b.position);
    var toC: Edge;
    var faceBC = Face(NOWHERE, false);
    var faceCA = faceBC;
    toC.squared = NOWHERE;
    if (isTetrahedron) {
      toC = makeEdge(n, s.c.position);
      faceBC = makeFace(n, s.b.position, s.c.position, toB, toC, toA);
      faceCA = makeFace(n, s.c.position, s.a.position, toC, toA, toB);
    }
    let faceAB = makeFace(n, s.a.position, s.b.position, toA, toB, toC);
    if (faceAB.isBelow && faceBC.isBelow && faceCA.isBelow) {
      return SimplexStep(Simplex(s.a, s.b, s.c, newest, vec4f(0.0), 4u), vec3f(0.0), true);
    }
    // In exact arithmetic no edge is nearer than a face of it that holds the origin's projection.
    let holdsAB = faceAB.squared < NOWHERE;
    let holdsBC = faceBC.squared < NOWHERE;
    let holdsCA = faceCA.squared < NOWHERE;
    var squared = select(toA.squared, NOWHERE, holdsCA || holdsAB);
    let isB = !holdsAB && !holdsBC && toB.squared < squared;
    squared = select(squared, toB.squared, isB);
    let isC = !holdsBC && !holdsCA && toC.squared < squared;
    squared = select(squared, toC.squared, isC);
    let isAB = faceAB.squared < squared;
    squared = min(squared, faceAB.squared);
    let isBC = faceBC.squared < squared;
    squared = min(squared, faceBC.squared);
    let isCA = faceCA.squared < squared;
    isFace = isAB || isBC || isCA;
    if (isCA || (isC && !isFace)) {
      first = s.c;
      second = s.a;
    } else if (isBC || (isB && !isAB)) {
      first = s.b;
      second = s.c;
    }
  }
  return project(newest, first, second, isFace);
}

// The nearest point of the edge from `newest` to `first`, or of the plane of their face with `second`.
fn project(newest: Point, first: Point, second: Point, isFace: bool) -> SimplexStep {
  let n = newest.position;
  let p = first.position;
  let q = second.position;
  let slack = INSIDE_SLACK_ULPS * EPSILON;
  let between = p - n;
  let inverseLength = inverseSqrt(max(squaredLength(between), LEAST_SQUARE));
  let length = squaredLength(between) * inverseLength;
  let u = between * inverseLength;
  let foot = -dot(n, u);
  // The weights of first, second and newest.
  var weights: vec3f;
  var point: vec3f;
  if (isFace) {
    // q lies `along` u and `height` across it.
    let nq = q - n;
    let along = dot(nq, u);
    // Twice: what the first subtraction leaves along u is small beside nq, but not beside the height of a thin
    // triangle.
    var across = nq - u * along;
    across -= u * dot(across, u);
    let inverseHeight = inverseSqrt(max(squaredLength(across), LEAST_SQUARE));
    let v = across * inverseHeight;
    let normal = cross(u, v);
    point = normal * dot(normal, n);
    // Barycentric coordinates of the projection. A weight is the distance from the edge in question over the triangle's
    // height above that edge.
    let weightQ = -dot(n, v) * inverseHeight;
    let weightP = (foot - weightQ * along) * inverseLength;
    weights = vec3f(weightP, weightQ, 1.0 - weightP - weightQ);
    if (any(weights < vec3f(0.0))) {
      // On the border: the plane's point with the weights of the edge that it lies on, as those of the plane are no
      // convex combination. Of a thin face, which weights are negative doesn't say which edge that is.
      let toP = shareOfEnd(n, p);
      let toQ = shareOfEnd(n, q);
      let t = shareOfEnd(p, q);
      let offP = squaredLength(mix(n, p, toP) - point);
      let offQ = squaredLength(mix(n, q, toQ) - point);
      let offPQ = squaredLength(mix(p, q, t) - point);
      weights = vec3f(1.0 - t, t, 0.0);
      if (offP <= min(offPQ, offQ)) {
        weights = vec3f(toP, 0.0, 1.0 - toP);
      } else if (offQ <= offPQ) {
        weights = vec3f(0.0, toQ, 1.0 - toQ);
      }
    }
    weights = max(weights, vec3f(LEAST_WEIGHT));
  } else {
    // From the nearer end, and once more for what rounding left along u.
    let isNearOlder = foot > 0.5 * length;
    point = select(n, p, isNearOlder);
    var weight = select(0.0, 1.0, isNearOlder);
    if (length > 0.0 && foot > -slack && foot < length + slack) {
      point -= u * dot(point, u);
      point -= u * dot(point, u);
      weight = clamp(foot * inverseLength, LEAST_WEIGHT, 1.0 - EPSILON);
    }
    weights = vec3f(weight, 0.0, 1.0 - weight);
  }
  // Those of first, second and newest that have weight, in this order.
  var step = SimplexStep(Simplex(first, newest, newest, newest, vec4f(weights.xz, 0.0, 0.0), 2u), point, false);
  if (isFace) {
    step.simplex = Simplex(first, second, newest, newest, vec4f(weights, 0.0), 3u);
  } else if (weights.x == 0.0 || weights.z == 0.0) {
    step.simplex.weights = vec4f(1.0, 0.0, 0.0, 0.0);
    step.simplex.count = 1u;
    if (weights.x == 0.0) {
      step.simplex.a = newest;
    }
  }
  return step;
}

fn squaredLength(v: vec3f) -> f32 {
  return dot(v, v);
}

// The weight of `end` in the point of a segment nearest to the origin.
fn shareOfEnd(start: vec3f, end: vec3f) -> f32 {
  let between = end - start;
  return clamp(-dot(start, between) / max(squaredLength(between), LEAST_SQUARE), 0.0, 1.0);
}
