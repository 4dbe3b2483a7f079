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
import package::simplex::{nearestOnTriangle};

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
  // Vertices of the last face by id, and the weights of its point nearest to the origin.
  ids: vec3u,
  weights: vec3f,
  // Distance of that point: an upper bound where the origin is outside.
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
  result.faceDistance = 1e30;
  if (!startPolytope(pair, simplexIds, simplexCount, &result)) {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
    return result;
  }
  result.state = EPA_STALLED;
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
      storeFace(face, &result);
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

fn storeFace(face: u32, result: ptr<function, EpaResult>) {
  let c = unpackCorners(corners[face]);
  let on = nearestOnTriangle(positions[c.x], positions[c.y], positions[c.z]);
  (*result).ids = vec3u(ids[c.x], ids[c.y], ids[c.z]);
  (*result).weights = on.weights;
  (*result).faceDistance = length(on.point);
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
  let normal = -nearestOnTriangle(a, b, c).normal;
  let height = dot(normal, a + b + c) / 3.0;
  planes[faceCount] = vec4f(normal, select(NO_HEIGHT, height, dot(normal, normal) > 0.0));
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
  markFace(face);
  var visible = 1u;
  var before = 0u;
  for (var round = 0u; round < EPA_MAX_FACES && visible > before; round++) {
    before = visible;
    for (var f = 0u; f < faceCount; f++) {
      let packed = corners[f];
      let depth = dot(planes[f].xyz, point) - planes[f].w;
      if ((packed & VISIBLE) == 0u && depth < EPA_COPLANAR_ULPS * EPSILON) {
        let c = unpackCorners(packed);
        let isSeen = depth < -EPA_VISIBLE_ULPS * EPSILON;
        if ((hasEdge(c.y, c.x) && (isSeen || isOverEdge(f, c.x, c.y, point))) ||
            (hasEdge(c.z, c.y) && (isSeen || isOverEdge(f, c.y, c.z, point))) ||
            (hasEdge(c.x, c.z) && (isSeen || isOverEdge(f, c.z, c.x, point)))) {
          markFace(f);
          visible += 1u;
        }
      }
    }
  }
  return visible;
}

// Whether the point lies on the face's own side of its edge from i to j.
fn isOverEdge(f: u32, i: u32, j: u32, point: vec3f) -> bool {
  return dot(cross(planes[f].xyz, positions[j] - positions[i]), point - positions[i]) < 0.0;
}

fn markFace(f: u32) {
  let c = unpackCorners(corners[f]);
  toggleEdge(c.x, c.y);
  toggleEdge(c.y, c.z);
  toggleEdge(c.z, c.x);
  corners[f] |= VISIBLE;
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

// Makes a polytope that holds the origin, or returns false with the answer in `result`: a difference that is flat to
// rounding has no inside, and its flat direction separates the pair.
fn startPolytope(pair: Pair, simplexIds: vec4u, simplexCount: u32, result: ptr<function, EpaResult>) -> bool {
  let flat = FLAT_ULPS * EPSILON;
  var a = differencePoint(pair, simplexIds.x);
  var b = differencePoint(pair, simplexIds.y);
  var c = differencePoint(pair, simplexIds.z);
  var count = simplexCount;
  vertexCount = 0u;
  faceCount = 0u;

  if (count == 4u) {
    let d = differencePoint(pair, simplexIds.w);
    let height = dot(nearestOnTriangle(a.position, b.position, c.position).normal, d.position - a.position);
    if (abs(height) > flat) {
      startTetrahedron(a, b, c, d, height > 0.0);
      return true;
    }
    count = 3u;
  }
  if (count == 3u && all(nearestOnTriangle(a.position, b.position, c.position).normal == vec3f(0.0))) {
    // Collinear: go on with the longest edge.
    let ab = distance(a.position, b.position);
    let bc = distance(b.position, c.position);
    let ca = distance(c.position, a.position);
    if (ca > ab && ca > bc) {
      b = c;
    } else if (bc > ab) {
      a = c;
    }
    count = 2u;
  }
  if (count == 2u && distance(a.position, b.position) <= flat) {
    count = 1u;
  }
  if (count == 1u) {
    b = farthestAlongAxes(pair, a, vec3f(0.0), vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0), result);
    if (distance(a.position, b.position) <= flat) {
      storeTriangle(a, a, a, result);
      return false;
    }
    count = 2u;
  }
  if (count == 2u) {
    let u = normalize(b.position - a.position);
    let p = perpendicular(u);
    c = farthestAlongAxes(pair, a, u, p, cross(u, p), p, result);
    if (all(nearestOnTriangle(a.position, b.position, c.position).normal == vec3f(0.0)) ||
        length(across(c.position - a.position, u)) <= flat) {
      storeTriangle(a, b, a, result);
      return false;
    }
  }

  let normal = nearestOnTriangle(a.position, b.position, c.position).normal;
  let above = differenceSupport(pair, normal);
  let below = differenceSupport(pair, -normal);
  let isHigh = dot(normal, above.position - a.position) > flat;
  let isDeep = dot(normal, a.position - below.position) > flat;
  if (isHigh && isDeep) {
    startBipyramid(a, b, c, above, below);
    return true;
  }
  if (isHigh || isDeep) {
    if (isHigh) {
      startTetrahedron(a, b, c, above, true);
    } else {
      startTetrahedron(a, b, c, below, false);
    }
    return true;
  }
  (*result).lower = -1e30;
  keepDirection(normal, above, result);
  keepDirection(-normal, below, result);
  storeTriangle(a, b, c, result);
  return false;
}

fn across(v: vec3f, u: vec3f) -> vec3f {
  return v - u * dot(v, u);
}

// The support along one of +-x, +-y, +-z that lies farthest from the line through `a` along the unit vector u (from
// `a` itself for u = 0). Keeps the direction that separates the pair best.
fn farthestAlongAxes(
  pair: Pair, a: Point, u: vec3f, x: vec3f, y: vec3f, z: vec3f, result: ptr<function, EpaResult>
) -> Point {
  var farthest = a;
  var farthestDistance = -1.0;
  (*result).lower = -1e30;
  for (var i = 0u; i < 6u; i++) {
    let axis = select(select(z, y, (i >> 1u) == 1u), x, (i >> 1u) == 0u);
    let direction = select(axis, -axis, (i & 1u) == 1u);
    let point = differenceSupport(pair, direction);
    let d = length(across(point.position - a.position, u));
    if (d > farthestDistance) {
      farthest = point;
      farthestDistance = d;
    }
    keepDirection(direction, point, result);
  }
  return farthest;
}

// `point` is the support along `direction`: no direction separates the pair better than the best one seen.
fn keepDirection(direction: vec3f, point: Point, result: ptr<function, EpaResult>) {
  let height = -dot(direction, point.position);
  if (height > (*result).lower) {
    (*result).lower = height;
    (*result).normal = -direction;
  }
}

fn storeTriangle(a: Point, b: Point, c: Point, result: ptr<function, EpaResult>) {
  (*result).ids = vec3u(a.id, b.id, c.id);
  (*result).weights = nearestOnTriangle(a.position, b.position, c.position).weights;
}

// `isAbove`: d lies on the side from which a, b, c is counter-clockwise.
fn startTetrahedron(a: Point, b: Point, c: Point, d: Point, isAbove: bool) {
  let i = addVertex(a);
  var j = addVertex(b);
  var k = addVertex(c);
  let l = addVertex(d);
  if (!isAbove) {
    let swap = j;
    j = k;
    k = swap;
  }
  addFace(i, k, j);
  addFace(i, j, l);
  addFace(j, k, l);
  addFace(k, i, l);
}

fn startBipyramid(a: Point, b: Point, c: Point, above: Point, below: Point) {
  let i = addVertex(a);
  let j = addVertex(b);
  let k = addVertex(c);
  let l = addVertex(above);
  let m = addVertex(below);
  addFace(i, j, l);
  addFace(j, k, l);
  addFace(k, i, l);
  addFace(j, i, m);
  addFace(k, j, m);
  addFace(i, k, m);
}
