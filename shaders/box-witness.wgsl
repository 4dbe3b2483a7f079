// Witness points of two overlapping boxes, from the best axis of sat.wgsl. For a face axis, the incident face is
// clipped to the reference face. For an edge axis, the points are those where the two edges are nearest: Ericson,
// Real-Time Collision Detection (2005), 5.1.9.

import package::shared::constants::{SAT_ALIKE, SAT_PARALLEL_ULPS, SAT_TIE_ULPS};
import package::shared::math::{EPSILON, unitAxis};
import package::shared::pair::{Pair};
import package::sat::{SatResult};

struct Witness {
  onA: vec3f,
  onB: vec3f,
}

// Points of the overlapping boxes that are the separation apart along the best axis, in A's frame.
fn satWitness(pair: Pair, best: SatResult) -> Witness {
  if (best.axis >= 6u) {
    return edgeWitness(pair, best);
  }
  // The reference box's face and the other box, in the reference box's frame.
  var halfExtents = pair.coreA.halfExtents;
  var otherHalfExtents = pair.coreB.halfExtents;
  var axis = best.axis;
  var normal = best.normal;
  var rotation = pair.rotation;
  var translation = pair.translation;
  let isB = best.axis >= 3u;
  if (isB) {
    halfExtents = pair.coreB.halfExtents;
    otherHalfExtents = pair.coreA.halfExtents;
    axis -= 3u;
    rotation = transpose(pair.rotation);
    normal = rotation * -best.normal;
    translation = -(rotation * pair.translation);
  }
  let point = faceWitness(halfExtents, axis, normal, otherHalfExtents, rotation, translation);
  let between = best.normal * best.separation;
  if (isB) {
    let onB = pair.rotation * point + pair.translation;
    return Witness(onB - between, onB);
  }
  return Witness(point, point + between);
}

// A point of the reference face over the deepest point of the incident face. The incident face is clipped to the
// rectangle of the reference face. The lowest corner of the clipped polygon is the answer, or the mean of its lowest
// corners.
//
// All arguments are in the frame of the reference box: `axis` and `normal` give its face; the axes of the other box are
// the columns of `rotation`, its centre is `translation`. u and v are the two axes along the face:
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

  // The other box's face most opposed to the normal: its centre and half edges p and q, by u, v and height.
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
  let bounds = size + SAT_TIE_ULPS * EPSILON;
  var lowest = Lowest(vec2f(0.0), 1e30, 0.0);
  // Edges of the incident face, each as its middle and half of it.
  lowest = clipToRectangle(centre + p, q, bounds, lowest);
  lowest = clipToRectangle(centre - p, q, bounds, lowest);
  lowest = clipToRectangle(centre + q, p, bounds, lowest);
  lowest = clipToRectangle(centre - q, p, bounds, lowest);
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
  // If clipping leaves nothing all the same: the point of the rectangle nearest to the incident face's lowest corner.
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
fn clipToRectangle(middle: vec3f, half: vec3f, size: vec2f, lowest: Lowest) -> Lowest {
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

// Points of the two edges that the axis is perpendicular to. Near a face, axes of several pairs of edges may have the
// same separation to rounding. The edges that touch are the pair whose nearest points are the separation apart.
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

// Nearest points of two edges: of the edges of this axis, those that support the boxes along the normal.
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
