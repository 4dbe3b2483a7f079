// Penetration depth of two convex cores: the expanding polytope algorithm, van den Bergen, "Proximity queries and penetration
// depth computation on 3D game objects" (GDC 2001), started from whatever simplex GJK left.
//
// The polytope is inscribed in the Minkowski difference B - A. Each face has an inward unit normal n and the height of its
// plane along n, which is negative while the origin is inside. The face of greatest height is nearest to the origin; its
// height is an upper bound of the signed distance, and the height of the support along -n a lower one. Steps: take that
// face; stop if the bounds meet; otherwise remove every face that sees the new point and close the hole (the horizon)
// with a fan around it.
//
// Departures: heights are signed, so a polytope that the origin left by a rounding error is as good as any other. The start
// is a bipyramid over the triangle that holds the origin where GJK ended on one, and a difference too flat to have an inside
// is answered by its flat direction.

import package::shared::constants::{FLAT_ULPS, EPA_EXIT_ULPS, EPA_TIE_ULPS, EPA_MAX_ITERATIONS};
import package::shared::math::{EPSILON, perpendicular};
import package::shared::pair::{Pair};
import package::shared::support::{Point, differenceSupport, differencePoint};
import package::triangle::{nearestOnTriangle, triangleFrame};
import package::polytope::{
  positions, ids, vertexCount, faceCount, planes, corners, NO_HEIGHT, CLOSED, EXPAND_IMPOSSIBLE, EXPAND_FULL, addVertex, addFace,
  expand, nearestFace, unpackCorners
};

// How the search ended.
const EPA_CONVERGED: u32 = 0u;
const EPA_STALLED: u32 = 1u;   // rounding, a limit or the polytope's capacity ended it; the bounds are what they are

struct EpaResult {
  state: u32,
  iterations: u32,
  // Bounds of the cores' signed distance.
  lower: f32,
  upper: f32,
  // Unit vector from A to B that gave `lower`, in A's frame.
  normal: vec3f,
  // Vertices of the last face by id, the weights of its point nearest to the origin, and the distance of that point, which
  // is an upper bound where the origin is outside.
  ids: vec3u,
  weights: vec3f,
  faceDistance: f32,
}

fn epa(pair: Pair, simplexIds: vec4u, simplexCount: u32) -> EpaResult {
  var result: EpaResult;
  result.lower = -1e30;
  result.upper = 1e30;
  // The face of the answer by its corners; a flat difference has its answer in the first three vertices.
  var answer = vec3u(0u, 1u, 2u);
  if (startPolytope(pair, simplexIds, simplexCount, &result)) {
    result.state = EPA_STALLED;
    result.lower = -1e30;
    var closedHeight = -1e30;
    for (var i = 0u; i < EPA_MAX_ITERATIONS; i++) {
      let face = nearestFace();
      let plane = planes[face];
      if (plane.w <= NO_HEIGHT) {
        break;
      }
      let point = differenceSupport(pair, -plane.xyz);
      let height = dot(plane.xyz, point.position);
      result.iterations += 1u;
      result.upper = max(plane.w, closedHeight);
      let met = plane.w - height <= EPA_EXIT_ULPS * EPSILON;
      if (met || height > result.lower) {
        result.lower = height;
        result.normal = plane.xyz;
        answer = unpackCorners(corners[face]);
      }
      if (met) {
        result.state = EPA_CONVERGED;
        break;
      }
      let outcome = expand(face, point);
      if (outcome == EXPAND_FULL) {
        break;
      }
      if (outcome == EXPAND_IMPOSSIBLE) {
        closedHeight = max(closedHeight, plane.w);
        planes[face].w = CLOSED;
      }
    }
  } else {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
  }
  storeWitness(answer, &result);
  return result;
}

// Finds the witness points: at the foot of the perpendicular from the origin on the answer's plane. A facet of the difference
// can be covered by several faces, any of which may have ended the search; the one nearest to the foot is taken.
fn storeWitness(answer: vec3u, result: ptr<function, EpaResult>) {
  let foot = (*result).normal * (*result).lower;
  var leastMiss = 1e30;
  for (var f = 0u; f <= faceCount; f++) {
    var c = answer;
    if (f < faceCount) {
      if (planes[f].w < (*result).lower - EPA_TIE_ULPS * EPSILON) {
        continue;
      }
      c = unpackCorners(corners[f]);
    }
    let on = nearestOnTriangle(positions[c.x] - foot, positions[c.y] - foot, positions[c.z] - foot, false);
    let miss = length(on.point);
    if (miss < leastMiss) {
      leastMiss = miss;
      (*result).ids = vec3u(ids[c.x], ids[c.y], ids[c.z]);
      (*result).weights = on.weights;
      (*result).faceDistance = length(foot + on.point);
    }
  }
}

// Makes a polytope that holds the origin, or returns false: a difference that is flat to rounding has no inside, its flat
// direction separates the pair best (`lower` and `normal` of the result), and its first three vertices hold the nearest
// point. Compilers inline every call, so each is made once, in a loop.
fn startPolytope(pair: Pair, simplexIds: vec4u, simplexCount: u32, result: ptr<function, EpaResult>) -> bool {
  let flat = FLAT_ULPS * EPSILON;
  faceCount = 0u;
  vertexCount = 0u;
  for (var i = 0u; i < simplexCount; i++) {
    addVertex(differencePoint(pair, simplexIds[i]));
  }
  if (vertexCount >= 3u) {
    let frame = triangleFrame(positions[0], positions[1], positions[2]);
    let height = dot(frame.normal, positions[3] - positions[0]);
    if (vertexCount == 4u && abs(height) > flat) {
      addFaces(height > 0.0, height < 0.0);
      return true;
    }
    vertexCount = 3u;
    if (!frame.hasInside) {
      keepLongestEdge();
    }
  }
  if (vertexCount == 2u && distance(positions[0], positions[1]) <= flat) {
    vertexCount = 1u;
  }

  // A point grows to a segment, a segment to a triangle: by the support that lies farthest from it, among those along three
  // axes, or along two directions across the segment.
  for (var grown = 0u; grown < 2u && vertexCount < 3u; grown++) {
    var along = vec3f(0.0);
    var axes = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    if (vertexCount == 2u) {
      along = normalize(positions[1] - positions[0]);
      let across = perpendicular(along);
      axes = mat3x3f(across, cross(along, across), across);
    }
    let slot = vertexCount;
    var farthest = 0.0;
    (*result).lower = -1e30;
    for (var i = 0u; i < 6u; i++) {
      let direction = axes[i >> 1u] * select(1.0, -1.0, (i & 1u) == 1u);
      let point = differenceSupport(pair, direction);
      keepDirection(direction, point, result);
      let offset = point.position - positions[0];
      let size = length(offset - along * dot(offset, along));
      if (i == 0u || size > farthest) {
        farthest = size;
        positions[slot] = point.position;
        ids[slot] = point.id;
      }
    }
    vertexCount = slot + 1u;
    let isTriangle = slot == 2u;
    if (farthest <= flat || (isTriangle && !triangleFrame(positions[0], positions[1], positions[2]).hasInside)) {
      // A point or a segment: the rest repeats its first vertex.
      for (var i = slot; i < 3u; i++) {
        positions[i] = positions[0];
        ids[i] = ids[0];
      }
      return false;
    }
  }

  let normal = triangleFrame(positions[0], positions[1], positions[2]).normal;
  // Above and below the triangle.
  (*result).lower = -1e30;
  var isHigh = false;
  var isDeep = false;
  for (var i = 0u; i < 2u; i++) {
    let direction = select(normal, -normal, i == 1u);
    let point = differenceSupport(pair, direction);
    keepDirection(direction, point, result);
    if (dot(direction, point.position - positions[0]) > flat) {
      isHigh = isHigh || i == 0u;
      isDeep = isDeep || i == 1u;
      addVertex(point);
    }
  }
  addFaces(isHigh, isDeep);
  return isHigh || isDeep;
}

// Vertices 0, 1 become the ends of the longest edge of the collinear vertices 0, 1, 2.
fn keepLongestEdge() {
  let ab = distance(positions[0], positions[1]);
  let bc = distance(positions[1], positions[2]);
  let ca = distance(positions[2], positions[0]);
  if (ca > ab && ca > bc) {
    positions[1] = positions[2];
    ids[1] = ids[2];
  } else if (bc > ab) {
    positions[0] = positions[2];
    ids[0] = ids[2];
  }
  vertexCount = 2u;
}

// `point` is the support along `direction`: keeps the direction that separates the pair best.
fn keepDirection(direction: vec3f, point: Point, result: ptr<function, EpaResult>) {
  let height = -dot(direction, point.position);
  if (height > (*result).lower) {
    (*result).lower = height;
    (*result).normal = -direction;
  }
}

// Faces over the triangle of vertices 0, 1, 2: vertex 3 above it (the side from which they are counter-clockwise), or below
// it, or vertex 3 above and vertex 4 below.
fn addFaces(isHigh: bool, isDeep: bool) {
  let deep = vertexCount - 1u;
  for (var i = 0u; i < 8u; i++) {
    // Three sides up to the upper apex, the base below it; three sides down to the lower one, the base above it.
    let isUpper = i < 4u;
    let side = i & 3u;
    let isBase = side == 3u;
    if (select(isDeep, isHigh, isUpper) && !(isBase && isHigh && isDeep)) {
      let j = select(side, 0u, isBase);
      let k = select((side + 1u) % 3u, 1u, isBase);
      let apex = select(select(deep, 3u, isUpper), 2u, isBase);
      // The upper apex sees the sides as the triangle turns; its base, and the lower apex's sides, turn the other way.
      let isForward = isUpper != isBase;
      addFace(select(k, j, isForward), select(j, k, isForward), apex);
    }
  }
}
