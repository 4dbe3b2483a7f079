// Signed separation of two boxes over the 15 axes: Gottschalk, Lin, Manocha, "OBBTree" (1996); Ericson, Real-Time
// Collision Detection (2005), 4.4.1.
//
// The best axis is the axis of greatest separation. If all separations are negative, it gives the least penetration;
// otherwise its separation is a lower bound of the gap. Departures from the sources:
//
// - An edge axis e x b is divided by its length. Its projections on B's axes come from the products of B's axes as they
//   are, not from the orthonormality of the rotation. All rounding is then in proportion to the axis' length, so every
//   separation is a true bound even between nearly parallel edges, where the usual unnormalised products cancel.
// - An edge axis has to beat the best face by an absolute slack, because parallel edges tie with faces.
//
// Axes by number: 0 to 2 the faces of A, 3 to 5 those of B, 6 + 3 i + j the product of A's edge i and B's edge j.

import package::shared::constants::{SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS};
import package::shared::math::{EPSILON, unitAxis};
import package::shared::pair::{Pair};

// The separation of parallel edges: the faces cover their axis.
const NO_AXIS: f32 = -1e30;

// Separations of the cores along all axes.
struct Separations {
  facesA: vec3f,
  facesB: vec3f,
  // Products of A's three edges with B's edge 0, 1 and 2.
  edges0: vec3f,
  edges1: vec3f,
  edges2: vec3f,
}

fn separations(pair: Pair) -> Separations {
  let r = pair.rotation;
  let t = pair.translation;
  let a = pair.coreA.halfExtents;
  let b = pair.coreB.halfExtents;
  let r01 = abs(cross(r[0], r[1]));
  let r12 = abs(cross(r[1], r[2]));
  let r20 = abs(cross(r[2], r[0]));
  return Separations(
    abs(t) - a - (abs(r[0]) * b.x + abs(r[1]) * b.y + abs(r[2]) * b.z),
    abs(t * r) - b - vec3f(dot(a, abs(r[0])), dot(a, abs(r[1])), dot(a, abs(r[2]))),
    edgeSeparations(r[0], a, t, r01 * b.y + r20 * b.z),
    edgeSeparations(r[1], a, t, r01 * b.x + r12 * b.z),
    edgeSeparations(r[2], a, t, r20 * b.x + r12 * b.y),
  );
}

// Separations along the products of A's three edges with `edge`, an edge of B. `projectedRadiusB` is half of B's
// projection on the products before they are normalised.
fn edgeSeparations(edge: vec3f, halfExtentsA: vec3f, translation: vec3f, projectedRadiusB: vec3f) -> vec3f {
  let size = abs(edge);
  let projectedRadiusA = size.yxx * halfExtentsA.zzy + size.zzy * halfExtentsA.yxx;
  let along = abs(cross(edge, translation));
  let squared = edge.yxx * edge.yxx + edge.zzy * edge.zzy;
  let parallel = SAT_PARALLEL_ULPS * EPSILON;
  let isAxis = squared > vec3f(parallel * parallel);
  let scaled = along - projectedRadiusA - projectedRadiusB;
  return select(vec3f(NO_AXIS), scaled * inverseSqrt(max(squared, vec3f(1e-20))), isAxis);
}

// The greatest separation alone.
fn satSeparation(pair: Pair) -> f32 {
  let s = separations(pair);
  let greatest = max(max(max(s.facesA, s.facesB), s.edges0), max(s.edges1, s.edges2));
  return max(greatest.x, max(greatest.y, greatest.z));
}

struct SatResult {
  // Separation of the cores along `normal`.
  separation: f32,
  // Unit vector from A to B in A's frame.
  normal: vec3f,
  axis: u32,
}

fn sat(pair: Pair) -> SatResult {
  let s = separations(pair);
  var best = Axis(s.facesA.x, 0u);
  best = betterOf(best, s.facesA.yzz, vec3u(1u, 2u, 2u), 0.0);
  best = betterOf(best, s.facesB, vec3u(3u, 4u, 5u), 0.0);
  best = betterOf(best, s.edges0, vec3u(6u, 9u, 12u), SAT_FACE_BIAS_ULPS * EPSILON);
  best = betterOf(best, s.edges1, vec3u(7u, 10u, 13u), SAT_FACE_BIAS_ULPS * EPSILON);
  best = betterOf(best, s.edges2, vec3u(8u, 11u, 14u), SAT_FACE_BIAS_ULPS * EPSILON);
  // A variable, because not every compiler can index a matrix argument dynamically.
  var axesB = pair.rotation;
  var normal = unitAxis(best.number);
  if (best.number >= 6u) {
    normal = normalize(cross(unitAxis((best.number - 6u) / 3u), axesB[(best.number - 6u) % 3u]));
  } else if (best.number >= 3u) {
    normal = axesB[best.number - 3u];
  }
  return SatResult(best.separation, select(normal, -normal, dot(normal, pair.translation) < 0.0), best.number);
}

struct Axis {
  separation: f32,
  number: u32,
}

// The best of `given` and three other axes. Another axis has to be better than a face by more than `bias`.
fn betterOf(given: Axis, separation: vec3f, number: vec3u, bias: f32) -> Axis {
  var best = better(given, separation.x, number.x, bias);
  best = better(best, separation.y, number.y, bias);
  return better(best, separation.z, number.z, bias);
}

fn better(best: Axis, separation: f32, number: u32, bias: f32) -> Axis {
  let isBetter = separation > best.separation + select(0.0, bias, best.number < 6u);
  return Axis(select(best.separation, separation, isBetter), select(best.number, number, isBetter));
}
