// The polytope that EPA expands: vertices of the Minkowski difference and triangles over them.
//
// The horizon of a new point is found without adjacency: each removed face toggles its directed edges in a bit matrix, where
// the two directions of an inner edge cancel; what remains is the horizon, and it has to be one loop.

import package::shared::constants::{
  EPA_VISIBLE_ULPS, EPA_COPLANAR_ULPS, EPA_SAME_ULPS, EPA_MAX_VERTICES, EPA_MAX_FACES
};
import package::shared::math::{EPSILON};
import package::shared::support::{Point};
import package::triangle::{planeWeights, triangleFrame};

// The polytope, and the horizon of the point being added. Private variables rather than function arguments: a pointer
// to kilobytes is a copy on some platforms.
//
// x, y, z and the id of each vertex:
var<private> positions: array<vec3f, EPA_MAX_VERTICES>;
var<private> ids: array<u32, EPA_MAX_VERTICES>;
var<private> vertexCount: u32;
// Inward unit normal of each face and the height of its plane along it:
var<private> planes: array<vec4f, EPA_MAX_FACES>;
// Three vertex numbers of 8 bits, counter-clockwise seen from outside, and the flags VISIBLE and ASIDE:
var<private> corners: array<u32, EPA_MAX_FACES>;
var<private> faceCount: u32;
// Bit j of row i: the horizon has the directed edge from vertex i to vertex j.
var<private> horizon: array<vec2u, EPA_MAX_VERTICES>;

const VISIBLE: u32 = 1u << 24u;
// The origin is inside the face's plane and projects on it far outside the face. In exact arithmetic such a face is never the
// nearest, but the plane of a thin one, tilted by rounding, may seem so where it is extended that far.
const ASIDE: u32 = 1u << 25u;
// How far behind the others these faces are put; heights are below 8.
const ASIDE_HANDICAP: f32 = 1000.0;
// Height of a face without an inside: never nearest, never visible.
const NO_HEIGHT: f32 = -1e30;
// Height of a face that was tried and could not be expanded.
const CLOSED: f32 = -2e30;

// The face nearest to the origin, among those that it projects on if there are any.
fn nearestFace() -> u32 {
  var nearest = 0u;
  var nearestHeight = -1e31;
  for (var f = 0u; f < faceCount; f++) {
    let height = planes[f].w - select(ASIDE_HANDICAP, 0.0, (corners[f] & ASIDE) == 0u);
    if (height > nearestHeight) {
      nearestHeight = height;
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
  let height = select(NO_HEIGHT, -dot(frame.normal, a + b + c) / 3.0, frame.hasInside);
  let isAside = height < 0.0 && any(planeWeights(frame, a) < vec3f(-1.0));
  planes[faceCount] = vec4f(-frame.normal, height);
  corners[faceCount] = i | (j << 8u) | (k << 16u) | select(0u, ASIDE, isAside);
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
