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

// Half edges that extend less than this along an axis are perpendicular to it.
const LEAST_EXTENT: f32 = 1e-20;
// A face whose half edges have a lesser cross product has no area.
const LEAST_AREA: f32 = 1e-30;
// The height of a candidate that is no corner of the clipped polygon.
const NOT_THERE: f32 = 1e30;
// Sides of the centre that the incident edges are on, and the rectangle's corners.
const SIDES = vec4f(1.0, -1.0, 1.0, -1.0);

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
  let size = alongFace(halfExtents, axis);
  let side = sign(alongFace(normal, axis).z);

  // The other box's face most opposed to the normal: its centre and half edges p and q, by u, v and height.
  let upwards = vec3f(1.0, 1.0, side);
  let x = alongFace(rotation[0], axis) * upwards;
  let y = alongFace(rotation[1], axis) * upwards;
  let z = alongFace(rotation[2], axis) * upwards;
  let isY = abs(y.z) > abs(x.z) && abs(y.z) >= abs(z.z);
  let isZ = !isY && abs(z.z) > abs(x.z);
  let half = select(select(otherHalfExtents, otherHalfExtents.yzx, isY), otherHalfExtents.zxy, isZ);
  let toFace = select(select(x, y, isY), z, isZ);
  let p = select(select(y, z, isY), x, isZ) * half.y;
  let q = select(select(z, x, isY), y, isZ) * half.z;
  let centre = alongFace(translation, axis) * upwards - toFace * (sign(toFace.z) * half.x);

  // The rectangle's corners in shares of p and q, times the area. They come first to save registers.
  let area = p.x * q.y - p.y * q.x;
  let isArea = abs(area) > LEAST_AREA;
  let fromU = size.x * SIDES - centre.x;
  let fromV = size.y * SIDES.xyyx - centre.y;
  let s = fromU * q.y - fromV * q.x;
  let t = fromV * p.x - fromU * p.y;
  let slope = vec2f(p.z, q.z) / select(1.0, area, isArea);
  let isInside = vec4<bool>(isArea) & (max(abs(s), abs(t)) <= vec4f(abs(area)));
  let cornerHeight = select(vec4f(NOT_THERE), centre.z + s * slope.x + t * slope.y, isInside);

  // Incident edges: centre + p and centre - p along q, then centre + q and centre - q along p. Boxes that touch to
  // rounding must not clip to nothing.
  let tie = SAT_TIE_ULPS * EPSILON;
  let overU = partsWithin(centre.x, p.x, q.x, size.x + tie);
  let overV = partsWithin(centre.y, p.y, q.y, size.y + tie);
  let start = max(max(overU.start, overV.start), vec4f(-1.0));
  let end = min(min(overU.end, overV.end), vec4f(1.0));
  let isOver = start <= end;
  let middle = centre.z + SIDES * vec4f(p.zz, q.zz);
  let rise = vec4f(q.zz, p.zz);
  let startHeight = select(vec4f(NOT_THERE), middle + rise * start, isOver);
  let endHeight = select(vec4f(NOT_THERE), middle + rise * end, isOver);

  // The lowest corners of the polygon count 1, all other candidates 0.
  let least = min(min(startHeight, endHeight), cornerHeight);
  let level = vec4f(min(min(min(least.x, least.y), min(least.z, least.w)), 0.5 * NOT_THERE) + tie);
  let starts = select(vec4f(0.0), vec4f(1.0), startHeight <= level);
  let ends = select(vec4f(0.0), vec4f(1.0), endHeight <= level);
  let corners = select(vec4f(0.0), vec4f(1.0), cornerHeight <= level);
  // Sums of their shares of p and q.
  let both = starts + ends;
  let along = starts * start + ends * end;
  var shares = vec2f(both.x - both.y + along.z + along.w, both.z - both.w + along.x + along.y);
  var count = dot(both, vec4f(1.0));
  let cornerCount = dot(corners, vec4f(1.0));
  if (count + cornerCount == 0.0) {
    // If clipping leaves nothing all the same: the point of the rectangle nearest to the incident face's lowest corner.
    shares = -sign(vec2f(p.z, q.z));
    count = 1.0;
  }
  let sum = centre.xy * count + p.xy * shares.x + q.xy * shares.y +
      size.xy * vec2f(dot(corners, SIDES), dot(corners, SIDES.xyyx));
  let point = clamp(sum / (count + cornerCount), -size.xy, size.xy);
  return fromFace(vec3f(point, side * size.z), axis);
}

// The components along u, v and the axis across the face.
fn alongFace(v: vec3f, axis: u32) -> vec3f {
  return select(select(v, v.zxy, axis == 1u), v.yzx, axis == 0u);
}

fn fromFace(v: vec3f, axis: u32) -> vec3f {
  return select(select(v, v.yzx, axis == 1u), v.zxy, axis == 0u);
}

// Parts of the four edges, from -1 to 1 along each.
struct Parts {
  start: vec4f,
  end: vec4f,
}

// The parts of the incident edges that are within +-size along one axis (Liang and Barsky 1984).
fn partsWithin(centre: f32, p: f32, q: f32, size: f32) -> Parts {
  let half = vec2f(q, p);
  let inverse = 1.0 / select(half, vec2f(LEAST_EXTENT), abs(half) < vec2f(LEAST_EXTENT));
  let middle = (centre + SIDES * vec4f(p, p, q, q)) * -inverse.xxyy;
  let reach = (size * abs(inverse)).xxyy;
  return Parts(middle - reach, middle + reach);
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
