// Signed separation of two boxes over the 15 axes: Gottschalk, Lin, Manocha, "OBBTree" (1996); Ericson, Real-Time
// Collision Detection (2005), 4.4.1.
//
// The best axis is the one of greatest separation: the least penetration where all are negative, otherwise a lower
// bound of the gap. Departures: an edge axis e x b is divided by its length, and its projections on B's axes are taken
// from the products of B's axes as they are, not from the orthonormality of the rotation: all rounding is then in
// proportion to the axis' length, so that every separation is a true bound even between nearly parallel edges, where
// the usual unnormalised products cancel. And an edge axis has to beat the best face by an absolute slack, because
// parallel edges tie with faces.
//
// Axes by number: 0 to 2 the faces of A, 3 to 5 those of B, 6 + 3 i + j the product of A's edge i and B's edge j.

import package::shared::constants::{SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS, SAT_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};

// Of parallel edges, whose axis the faces already cover.
const NO_AXIS: f32 = -1e30;

// Separations of the cores along all axes.
struct Separations {
  facesA: vec3f,
  facesB: vec3f,
  // Of A's three edges with each of B's.
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

// Along the products of A's three edges with B's edge `edge`; `reachB` is B's projection on them before they are
// normalised.
fn edgeSeparations(edge: vec3f, halfExtentsA: vec3f, translation: vec3f, reachB: vec3f) -> vec3f {
  let size = abs(edge);
  let reachA = size.yxx * halfExtentsA.zzy + size.zzy * halfExtentsA.yxx;
  let along = abs(cross(edge, translation));
  let squared = edge.yxx * edge.yxx + edge.zzy * edge.zzy;
  let parallel = SAT_PARALLEL_ULPS * EPSILON;
  let isAxis = squared > vec3f(parallel * parallel);
  return select(vec3f(NO_AXIS), (along - reachA - reachB) * inverseSqrt(max(squared, vec3f(1e-20))), isAxis);
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
  // A variable, as not every compiler indexes a matrix argument by a number it does not know.
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

// The best of `best` and three others in turn, which have to be better than a face by more than `bias`.
fn betterOf(given: Axis, separation: vec3f, number: vec3u, bias: f32) -> Axis {
  var best = better(given, separation.x, number.x, bias);
  best = better(best, separation.y, number.y, bias);
  return better(best, separation.z, number.z, bias);
}

fn better(best: Axis, separation: f32, number: u32, bias: f32) -> Axis {
  let isBetter = separation > best.separation + select(0.0, bias, best.number < 6u);
  return Axis(select(best.separation, separation, isBetter), select(best.number, number, isBetter));
}

fn unitAxis(i: u32) -> vec3f {
  return select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(i));
}

// Points of the overlapping boxes that realise the separation along the best axis, in A's frame.
struct Witness {
  onA: vec3f,
  onB: vec3f,
}

fn satWitness(pair: Pair, best: SatResult) -> Witness {
  let toB = transpose(pair.rotation);
  if (best.axis < 3u) {
    let onA = faceWitness(
      pair.coreA.halfExtents, best.axis, best.normal, pair.coreB.halfExtents, pair.rotation, pair.translation
    );
    return Witness(onA, onA + best.normal * best.separation);
  }
  if (best.axis < 6u) {
    let normal = toB * -best.normal;
    let inB = faceWitness(
      pair.coreB.halfExtents, best.axis - 3u, normal, pair.coreA.halfExtents, toB, -(toB * pair.translation)
    );
    let onB = pair.rotation * inB + pair.translation;
    return Witness(onB - best.normal * best.separation, onB);
  }
  return edgeWitness(pair, best);
}

// A point of the reference face that lies over the incident face where that is deepest. The incident face is clipped to
// the rectangle of the reference face; the lowest corner of what remains is the answer, or the middle of the lowest
// ones.
//
// In the frame of the reference box: `axis` and `normal` name its face; the other box has columns `rotation` and stands
// at `translation`. u and v are the two axes along the face:
//
//        v
//    +---|---+     corners of the clipped polygon: ends of incident edges
//    |   o---|-u   inside the rectangle, and corners of the rectangle
//    +-------+     inside the incident parallelogram
fn faceWitness(
  halfExtents: vec3f, axis: u32, normal: vec3f, otherHalfExtents: vec3f, rotation: mat3x3f, translation: vec3f
) -> vec3f {
  let u = unitAxis((axis + 1u) % 3u);
  let v = unitAxis((axis + 2u) % 3u);
  let side = sign(dot(normal, unitAxis(axis)));
  let size = vec2f(dot(halfExtents, u), dot(halfExtents, v));

  // The other box's face most opposed to the normal: centre, and half edges p and q. Rows u, v, height.
  let alignment = normal * rotation;
  let steepness = abs(alignment);
  var incident = 0u;
  if (steepness.y > steepness.x && steepness.y >= steepness.z) {
    incident = 1u;
  } else if (steepness.z > steepness.x) {
    incident = 2u;
  }
  let i = unitAxis(incident);
  let j = unitAxis((incident + 1u) % 3u);
  let k = unitAxis((incident + 2u) % 3u);
  let frame = transpose(mat3x3f(u, v, normal));
  let centre = frame * (translation - rotation * (i * otherHalfExtents * sign(dot(alignment, i))));
  let p = frame * (rotation * (j * otherHalfExtents));
  let q = frame * (rotation * (k * otherHalfExtents));

  // Boxes that touch to rounding must not clip to nothing.
  let reach = size + SAT_TIE_ULPS * EPSILON;
  var lowest = Lowest(vec2f(0.0), 1e30, 0.0);
  // Edges of the incident face, each as its middle and half of it.
  lowest = clipEdge(centre + p, q, reach, lowest);
  lowest = clipEdge(centre - p, q, reach, lowest);
  lowest = clipEdge(centre + q, p, reach, lowest);
  lowest = clipEdge(centre - q, p, reach, lowest);
  let area = p.x * q.y - p.y * q.x;
  if (area != 0.0) {
    for (var n = 0u; n < 4u; n++) {
      let corner = size * vec2f(select(-1.0, 1.0, (n & 1u) == 1u), select(-1.0, 1.0, n >= 2u));
      let d = corner - centre.xy;
      let s = (d.x * q.y - d.y * q.x) / area;
      let t = (p.x * d.y - p.y * d.x) / area;
      if (abs(s) <= 1.0 && abs(t) <= 1.0) {
        lowest = lower(lowest, corner, centre.z + s * p.z + t * q.z);
      }
    }
  }
  // Where even that clips to nothing, the point of the rectangle nearest to the incident face's lowest corner.
  var point = clamp(centre.xy - p.xy * sign(p.z) - q.xy * sign(q.z), -size, size);
  if (lowest.count > 0.0) {
    point = clamp(lowest.sum / lowest.count, -size, size);
  }
  return u * point.x + v * point.y + unitAxis(axis) * (side * dot(halfExtents, unitAxis(axis)));
}

// The lowest corners so far: their number, sum and height.
struct Lowest {
  sum: vec2f,
  height: f32,
  count: f32,
}

fn lower(lowest: Lowest, point: vec2f, height: f32) -> Lowest {
  let tie = SAT_TIE_ULPS * EPSILON;
  if (height < lowest.height - tie) {
    return Lowest(point, height, 1.0);
  }
  if (height <= lowest.height + tie) {
    return Lowest(lowest.sum + point, min(lowest.height, height), lowest.count + 1.0);
  }
  return lowest;
}

// Clips the segment middle +- half to the rectangle +- size (Liang and Barsky 1984) and offers both ends.
fn clipEdge(middle: vec3f, half: vec3f, size: vec2f, lowest: Lowest) -> Lowest {
  var low = -1.0;
  var high = 1.0;
  for (var c = 0u; c < 2u; c++) {
    let m = select(middle.x, middle.y, c == 1u);
    let h = select(half.x, half.y, c == 1u);
    let s = select(size.x, size.y, c == 1u);
    if (abs(h) > 1e-30) {
      let t0 = (-s - m) / h;
      let t1 = (s - m) / h;
      low = max(low, min(t0, t1));
      high = min(high, max(t0, t1));
    } else if (abs(m) > s) {
      high = -2.0;
    }
  }
  if (low > high) {
    return lowest;
  }
  let a = middle + half * low;
  let b = middle + half * high;
  return lower(lower(lowest, a.xy, a.z), b.xy, b.z);
}

// The points of the edges that the axis is perpendicular to. Next to a face several pairs of edges may have axes of the
// same separation, to rounding: those touch whose nearest points are that far apart.
fn edgeWitness(pair: Pair, best: SatResult) -> Witness {
  let tie = SAT_TIE_ULPS * EPSILON;
  let between = best.normal * best.separation;
  var points = edgePoints(pair, best.axis, best.normal);
  var least = distance(points.onB - points.onA, between);
  var axesB = pair.rotation;
  for (var axis = 6u; axis < 15u && least > 2.0 * tie; axis++) {
    let across = cross(unitAxis((axis - 6u) / 3u), axesB[(axis - 6u) % 3u]);
    let size = length(across);
    let normal = across * (select(1.0, -1.0, dot(across, best.normal) < 0.0) / max(size, 1e-30));
    if (size > SAT_PARALLEL_ULPS * EPSILON && distance(normal, best.normal) < SAT_ALIKE &&
        separationAlong(pair, normal) >= best.separation - tie) {
      let others = edgePoints(pair, axis, normal);
      let miss = distance(others.onB - others.onA, between);
      if (miss < least) {
        least = miss;
        points = others;
      }
    }
  }
  let middle = 0.5 * (points.onA + points.onB);
  return Witness(middle - best.normal * (0.5 * best.separation), middle + best.normal * (0.5 * best.separation));
}

fn separationAlong(pair: Pair, normal: vec3f) -> f32 {
  return dot(normal, pair.translation) - dot(abs(normal), pair.coreA.halfExtents) -
      dot(abs(normal * pair.rotation), pair.coreB.halfExtents);
}

// The points where the two edges of this axis that support the boxes along the normal are nearest: Ericson 5.1.9.
fn edgePoints(pair: Pair, axis: u32, normal: vec3f) -> Witness {
  let edgeA = (axis - 6u) / 3u;
  let edgeB = (axis - 6u) % 3u;
  let u = unitAxis(edgeA);
  let v = pair.rotation * unitAxis(edgeB);
  let sideB = normal * pair.rotation;
  let middleA = pair.coreA.halfExtents * (1.0 - u) * select(vec3f(-1.0), vec3f(1.0), normal >= vec3f(0.0));
  let middleB = pair.translation + pair.rotation *
    (pair.coreB.halfExtents * (1.0 - unitAxis(edgeB)) * select(vec3f(1.0), vec3f(-1.0), sideB >= vec3f(0.0)));
  let halfA = dot(pair.coreA.halfExtents, u);
  let halfB = dot(pair.coreB.halfExtents, unitAxis(edgeB));
  let between = middleB - middleA;
  let cosine = dot(u, v);
  let along = dot(between, u);
  // (along - cosine * dot(between, v)) / sine^2, without its cancellation between nearly parallel edges.
  let m = cross(u, v);
  let s = clamp(dot(cross(between, v), m) / dot(m, m), -halfA, halfA);
  let t = clamp(dot(u * s - between, v), -halfB, halfB);
  let onA = middleA + u * clamp(along + cosine * t, -halfA, halfA);
  return Witness(onA, middleB + v * t);
}
