// Penetration depth of two convex cores: the expanding polytope algorithm, van den Bergen, "Proximity queries and penetration
// depth computation on 3D game objects" (GDC 2001), started from whatever simplex GJK left.
//
// The polytope is inscribed in the Minkowski difference B - A. Each face has an inward unit normal n and the height of its
// plane along n, which is negative while the origin is inside. The face of greatest height is nearest to the origin; its
// height is an upper bound of the signed distance, and the height of the support along -n a lower one. Steps: take that
// face; stop if the bounds meet; otherwise remove every face that sees the new point and close the hole (the horizon)
// with a fan around it.
//
// Departures: heights are signed, so a polytope that the origin left by a rounding error is as good as any other. The
// horizon is found without adjacency: each removed face toggles its directed edges in a bit matrix, where the two
// directions of an inner edge cancel; what remains is the horizon, and it has to be one loop. The start is a bipyramid over the triangle that holds
// the origin where GJK ended on one, and a difference too flat to have an inside is answered by its flat direction.

import package::shared::constants::{
  FLAT_ULPS, EPA_EXIT_ULPS, EPA_VISIBLE_ULPS, EPA_COPLANAR_ULPS, EPA_SAME_ULPS, EPA_MAX_VERTICES, EPA_MAX_FACES, EPA_MAX_ITERATIONS
};
import package::shared::math::{EPSILON, perpendicular};
import package::shared::pair::{Pair};
import package::shared::support::{Point, differenceSupport, differencePoint};
import package::simplex::{nearestOnTriangle, triangleFrame};

// How the search ended.
const EPA_CONVERGED: u32 = 0u;
const EPA_STALLED: u32 = 1u;   // rounding or the iteration limit ended it; the bounds are what they are
const EPA_FULL: u32 = 2u;      // the polytope's capacity ended it; the same

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

// The polytope, and the horizon of the point being added. Private variables rather than function arguments: a pointer
// to kilobytes is a copy on some platforms.
//
// x, y, z and the id of each vertex:
var<private> positions: array<vec3f, EPA_MAX_VERTICES>;
var<private> ids: array<u32, EPA_MAX_VERTICES>;
var<private> vertexCount: u32;
// Inward unit normal of each face and the height of its plane along it:
var<private> planes: array<vec4f, EPA_MAX_FACES>;
// Three vertex numbers of 8 bits, counter-clockwise seen from outside, and VISIBLE:
var<private> corners: array<u32, EPA_MAX_FACES>;
var<private> faceCount: u32;
// Bit j of row i: the horizon has the directed edge from vertex i to vertex j.
var<private> horizon: array<vec2u, EPA_MAX_VERTICES>;

const VISIBLE: u32 = 1u << 24u;
// Height of a face without an inside: never nearest, never visible.
const NO_HEIGHT: f32 = -1e30;
// Height of a face that was tried and could not be expanded.
const CLOSED: f32 = -2e30;

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
        result.state = EPA_FULL;
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
  let on = nearestOnTriangle(positions[answer.x], positions[answer.y], positions[answer.z], false);
  result.ids = vec3u(ids[answer.x], ids[answer.y], ids[answer.z]);
  result.weights = on.weights;
  result.faceDistance = length(on.point);
  return result;
}

// The face whose plane is nearest to the origin.
fn nearestFace() -> u32 {
  var nearest = 0u;
  for (var f = 1u; f < faceCount; f++) {
    if (planes[f].w > planes[nearest].w) {
      nearest = f;
    }
  }
  return nearest;
}

fn unpackCorners(packed: u32) -> vec3u {
  return vec3u(packed & 0xffu, (packed >> 8u) & 0xffu, (packed >> 16u) & 0xffu);
}

fn addVertex(point: Point) -> u32 {
  let i = vertexCount;
  positions[i] = point.position;
  ids[i] = point.id;
  vertexCount = i + 1u;
  return i;
}

fn addFace(i: u32, j: u32, k: u32) {
  let a = positions[i];
  let b = positions[j];
  let c = positions[k];
  let frame = triangleFrame(a, b, c);
  planes[faceCount] = vec4f(-frame.normal, select(NO_HEIGHT, -dot(frame.normal, a + b + c) / 3.0, frame.hasInside));
  corners[faceCount] = i | (j << 8u) | (k << 16u);
  faceCount += 1u;
}

const EXPAND_DONE: u32 = 0u;
const EXPAND_IMPOSSIBLE: u32 = 1u;
const EXPAND_FULL: u32 = 2u;

// Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them.
fn expand(face: u32, point: Point) -> u32 {
  let apex = findVertex(point);
  if (apex == EPA_MAX_VERTICES) {
    return EXPAND_FULL;
  }
  let nearest = unpackCorners(corners[face]);
  if (apex == nearest.x || apex == nearest.y || apex == nearest.z) {
    return EXPAND_IMPOSSIBLE;
  }
  for (var v = 0u; v < vertexCount; v++) {
    horizon[v] = vec2u(0u);
  }
  let visible = markVisible(face, point.position);
  let horizonStart = firstOnHorizon();
  let edges = horizonLength(horizonStart);
  let full = faceCount - visible + edges > EPA_MAX_FACES;
  if (full || edges < 3u) {
    for (var f = 0u; f < faceCount; f++) {
      corners[f] &= ~VISIBLE;
    }
    return select(EXPAND_IMPOSSIBLE, EXPAND_FULL, full);
  }
  removeVisibleFaces();
  if (apex == vertexCount) {
    addVertex(point);
  }
  var v = horizonStart;
  for (var e = 0u; e < edges; e++) {
    let next = nextOnHorizon(v);
    if (v != apex && next != apex) {
      addFace(v, next, apex);
    }
    v = next;
  }
  return EXPAND_DONE;
}

// Marks the faces that see the point, and toggles their edges. The region grows from `face` across shared edges: a face
// elsewhere that seems to see the point does so by rounding. A face that has the point in its plane is taken too if
// the point lies on its side of the shared edge, where the fan would fold back over it. Returns the number of faces.
fn markVisible(face: u32, point: vec3f) -> u32 {
  var visible = 0u;
  for (var round = 0u; round < EPA_MAX_FACES; round++) {
    let before = visible;
    for (var f = select(0u, face, round == 0u); f < select(faceCount, face + 1u, round == 0u); f++) {
      let packed = corners[f];
      let depth = dot(planes[f].xyz, point) - planes[f].w;
      if ((packed & VISIBLE) == 0u && (f == face || depth < EPA_COPLANAR_ULPS * EPSILON)) {
        // The corners of each edge in turn are c.x and c.y.
        var c = unpackCorners(packed);
        var isTaken = f == face;
        for (var e = 0u; e < 3u && !isTaken; e++) {
          isTaken = hasEdge(c.y, c.x) && (depth < -EPA_VISIBLE_ULPS * EPSILON || isOverEdge(f, c.x, c.y, point));
          c = c.yzx;
        }
        if (isTaken) {
          for (var e = 0u; e < 3u; e++) {
            toggleEdge(c.x, c.y);
            c = c.yzx;
          }
          corners[f] = packed | VISIBLE;
          visible += 1u;
        }
      }
    }
    if (visible == before) {
      break;
    }
  }
  return visible;
}

// Whether the point lies on the face's own side of its edge from i to j.
fn isOverEdge(f: u32, i: u32, j: u32, point: vec3f) -> bool {
  return dot(cross(planes[f].xyz, positions[j] - positions[i]), point - positions[i]) < 0.0;
}

fn firstOnHorizon() -> u32 {
  for (var v = 0u; v < vertexCount; v++) {
    if (any(horizon[v] != vec2u(0u))) {
      return v;
    }
  }
  return 0u;
}

// The vertex that the horizon leads to from v.
fn nextOnHorizon(v: u32) -> u32 {
  let row = horizon[v];
  return select(firstTrailingBit(row.y) + 32u, firstTrailingBit(row.x), row.x != 0u) & 63u;
}

// Edges of the horizon, or 0 if it is not a single loop.
fn horizonLength(start: u32) -> u32 {
  var edges = 0u;
  for (var v = 0u; v < vertexCount; v++) {
    let leaving = countOneBits(horizon[v].x) + countOneBits(horizon[v].y);
    if (leaving > 1u) {
      return 0u;
    }
    edges += leaving;
  }
  var v = start;
  for (var e = 1u; e < edges; e++) {
    v = nextOnHorizon(v);
    if (v == start) {
      return 0u;
    }
  }
  return edges;
}

// The vertex at `point`, or the number a new one would get. A support that is a vertex already means that the polytope is
// not quite convex there; expanding with it turns edges, which mends that.
fn findVertex(point: Point) -> u32 {
  for (var v = 0u; v < vertexCount; v++) {
    let d = abs(positions[v] - point.position);
    if (max(d.x, max(d.y, d.z)) <= EPA_SAME_ULPS * EPSILON) {
      return v;
    }
  }
  return vertexCount;
}

fn toggleEdge(i: u32, j: u32) {
  if (hasEdge(j, i)) {
    horizon[j] ^= edgeBit(i);
  } else {
    horizon[i] ^= edgeBit(j);
  }
}

fn hasEdge(i: u32, j: u32) -> bool {
  return any((horizon[i] & edgeBit(j)) != vec2u(0u));
}

fn edgeBit(j: u32) -> vec2u {
  let bit = 1u << (j & 31u);
  return select(vec2u(0u, bit), vec2u(bit, 0u), j < 32u);
}

fn removeVisibleFaces() {
  var kept = 0u;
  for (var f = 0u; f < faceCount; f++) {
    if ((corners[f] & VISIBLE) == 0u) {
      corners[kept] = corners[f];
      planes[kept] = planes[f];
      kept += 1u;
    }
  }
  faceCount = kept;
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
  if (vertexCount == 3u && !triangleFrame(positions[0], positions[1], positions[2]).hasInside) {
    keepLongestEdge();
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
    if (farthest <= flat) {
      // A point or a segment: the rest repeats its first vertex.
      for (var i = slot; i < 3u; i++) {
        positions[i] = positions[0];
        ids[i] = ids[0];
      }
      return false;
    }
  }

  let normal = triangleFrame(positions[0], positions[1], positions[2]).normal;
  if (vertexCount == 4u) {
    let height = dot(normal, positions[3] - positions[0]);
    if (abs(height) > flat) {
      addFaces(height > 0.0, height < 0.0);
      return true;
    }
    vertexCount = 3u;
  }
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
