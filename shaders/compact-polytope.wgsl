// The polytope that compact-epa.wgsl expands: planes of triangles over vertices of the Minkowski difference, without
// links between neighbours.
//
// To expand, one loop over all faces finds those that see the new point and the nearest of the others. All invocations
// look at the same face at the same time. The horizon comes from the corners of the visible faces alone: each visible
// face (v, b, c) around a vertex v contributes b XOR c to v's link. The terms of edges between visible faces cancel, so
// that v's link is the XOR of its two neighbours on the horizon, or zero if v is not on it:
//
//         b2 ---- b1         visible faces (v, b0, b1), (v, b1, b2):
//           \    /  \
//            \  /    \       link(v) = b0 ^ b1 ^ b1 ^ b2 = b0 ^ b2
//             v ----- b0
//
// From a vertex and its predecessor the link gives the next one. The set of vertices with a link is the horizon's, so
// that anything but one simple loop shows.

import package::compact-polytope::sets::{
  FaceSet, faceSet, hasFaces, lowestFace, withoutLowestFace, VertexSet, vertexSet, hasVertex, countVertices,
  lowestVertex, isSameSet, Links, toggleLink, linkOf, linkedVertices
};
import package::polytope::aside::{withFlag, withHandicap};
import package::shared::constants::{EPA_VISIBLE_ULPS, SLIVER_ULPS};
import package::shared::math::{EPSILON};
import package::shared::support::{Point};

// Pairs that need more vertices are left to contacts-epa. A polytope of V vertices has at most 2 V - 4 faces.
const MAX_VERTICES: u32 = 64u;
const MAX_FACES: u32 = 124u;
// RADV, for one, keeps arrays of up to 256 bytes in registers, where each access at a variable index is a ladder of
// selects. None of these is so small.
const LEAST_WORDS: u32 = 65u;
// Inward unit normal of each face, and the height of its plane along it, with the flag of polytope/aside.wgsl.
var<private> planes: array<vec4f, MAX_FACES>;
// The three vertices of each face, counter-clockwise seen from outside, packed.
var<private> corners: array<u32, max(MAX_FACES, LEAST_WORDS)>;
// Position of each vertex as f32 bits, and its numbers on A and on B.
var<private> vertices: array<vec4u, MAX_VERTICES>;
var<private> numbersOnB: array<u32, max(MAX_VERTICES, LEAST_WORDS)>;
var<private> vertexCount: u32;
// Number of face slots ever used.
var<private> faceCount: u32;
// The face to expand next.
var<private> nearestFace: u32;

// Plane of a slot that holds no face, and of a face without an inside: it is never nearest and never visible.
const NO_PLANE: vec4f = vec4f(0.0, 0.0, 0.0, -1e30);

fn pack(v: vec3u) -> u32 {
  return v.x | (v.y << 6u) | (v.z << 12u);
}

fn unpack(packed: u32) -> vec3u {
  return (vec3u(packed) >> vec3u(0u, 6u, 12u)) & vec3u(63u);
}

fn positionOf(v: u32) -> vec3f {
  return bitcast<vec3f>(vertices[v].xyz);
}

fn setVertex(v: u32, point: Point) {
  vertices[v] = vec4u(bitcast<vec3u>(point.position), point.id.x);
  numbersOnB[v] = point.id.y;
}

fn idOf(v: u32) -> vec2u {
  return vec2u(vertices[v].w, numbersOnB[v]);
}

// Cross product by Kahan's difference of products, which is exact to rounding where fma is.
fn accurateCross(a: vec3f, b: vec3f) -> vec3f {
  let back = a.zxy * b.yzx;
  return fma(a.yzx, b.zxy, -back) + fma(-a.zxy, b.yzx, back);
}

// The plane of a face, with its flag.
fn planeThrough(a: vec3f, b: vec3f, c: vec3f) -> vec4f {
  let ab = b - a;
  let ac = c - a;
  let area = accurateCross(ab, ac);
  let squared = dot(area, area);
  let base = dot(ab, ab);
  let sliver = SLIVER_ULPS * EPSILON;
  if (squared <= sliver * sliver * base * max(base, dot(ac, ac))) {
    return NO_PLANE;
  }
  let normal = -area * inverseSqrt(squared);
  // Of the highest corner. So no point of the face is nearer to the origin, however much the normal is off by rounding.
  let height = max(dot(normal, a), max(dot(normal, b), dot(normal, c)));
  // Barycentric coordinates of the origin's projection, times `squared`.
  let weightB = -dot(a, cross(ac, area));
  let weightC = -dot(a, cross(area, ab));
  let isAside = height < 0.0 && min(min(weightB, weightC), squared - weightB - weightC) < -squared;
  return vec4f(normal, withFlag(height, isAside));
}

// Starts with both sides of the triangle of vertices 0, 1, 2. Face 0 sees points above it, face 1 points below. Returns
// whether the triangle has an inside on both: whether it is a sliver is a question of the corner that is asked.
fn startPolytope() -> bool {
  for (var side = 0u; side < 2u; side++) {
    let c = vec3u(0u, 1u + side, 2u - side);
    planes[side] = planeThrough(positionOf(c.x), positionOf(c.y), positionOf(c.z));
    corners[side] = pack(c);
  }
  vertexCount = 3u;
  faceCount = 2u;
  return min(planes[0].w, planes[1].w) > NO_PLANE.w;
}

// Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them. Returns false if that is
// not possible here; the polytope is of no use then. No face may rise above `most`: heights fall as a polytope grows,
// and a face that folds back over another one rises.
fn expand(face: u32, point: Point, most: f32) -> bool {
  let apex = vertexCount;
  if (apex >= MAX_VERTICES) {
    return false;
  }
  var visible = FaceSet();
  var nearest = 0u;
  var greatest = -1e31;
  for (var f = 0u; f < faceCount; f++) {
    let plane = planes[f];
    let order = withHandicap(plane.w);
    let isVisible = f == face || dot(plane.xyz, point.position) - plane.w < -EPA_VISIBLE_ULPS * EPSILON;
    let isNearest = !isVisible && order > greatest;
    visible |= select(FaceSet(), faceSet(f), isVisible);
    nearest = select(nearest, f, isNearest);
    greatest = select(greatest, order, isNearest);
  }
  var links: Links;
  var horizon: VertexSet;
  var start = unpack(corners[face]).x;
  var next: VertexSet;
  for (var attempt = 0u; attempt < 2u; attempt++) {
    // Of the vertices that follow the start in visible faces, all but the next one on the horizon also precede it.
    links = Links();
    next = linkCorners(visible, start, &links);
    horizon = linkedVertices(links);
    if (countVertices(horizon) == 0u || hasVertex(horizon, start)) {
      break;
    }
    // It is inside the region. Another vertex is on its border.
    start = lowestVertex(horizon);
  }
  if (countVertices(next) != 1u) {
    return false;
  }
  setVertex(apex, point);
  vertexCount += 1u;
  var free = visible;
  var walked: VertexSet;
  var previous = start;
  var current = lowestVertex(next);
  var corner = positionOf(previous);
  var isOpen = true;
  var isSound = true;
  // A face for each edge of the horizon, up to the edge that ends at its start. Selects are faster than branches on
  // software adapters, where a branch in a loop masks what follows.
  while (isOpen) {
    let end = positionOf(current);
    let plane = planeThrough(corner, end, point.position);
    let order = withHandicap(plane.w);
    // The slots of visible faces first.
    let isFree = hasFaces(free);
    let slot = select(faceCount, lowestFace(free), isFree);
    faceCount += select(1u, 0u, isFree);
    free = withoutLowestFace(free);
    isSound = order <= most && slot < MAX_FACES && !hasVertex(walked, current);
    planes[min(slot, MAX_FACES - 1u)] = plane;
    corners[min(slot, MAX_FACES - 1u)] = pack(vec3u(previous, current, apex));
    nearest = select(nearest, slot, order > greatest);
    greatest = max(greatest, order);
    walked |= vertexSet(current);
    isOpen = current != start && isSound;
    let following = linkOf(links, current) ^ previous;
    previous = current;
    current = following;
    corner = end;
  }
  // Rarely, vertices were buried, and there are fewer faces than before.
  while (hasFaces(free)) {
    planes[lowestFace(free)] = NO_PLANE;
    free = withoutLowestFace(free);
  }
  nearestFace = nearest;
  // Otherwise no face has an inside, or the horizon is not one loop.
  return isSound && greatest > 0.5 * NO_PLANE.w && isSameSet(walked, horizon);
}

// Makes the links of the vertices around visible faces. Returns the vertices that follow `start` in one of them and do
// not precede it in another.
fn linkCorners(visible: FaceSet, start: u32, links: ptr<function, Links>) -> VertexSet {
  var ahead = VertexSet();
  var behind = VertexSet();
  var rest = visible;
  while (hasFaces(rest)) {
    var c = unpack(corners[lowestFace(rest)]);
    rest = withoutLowestFace(rest);
    for (var i = 0u; i < 3u; i++) {
      toggleLink(links, c.x, c.y ^ c.z);
      if (c.x == start) {
        ahead |= vertexSet(c.y);
        behind |= vertexSet(c.z);
      }
      c = c.yzx;
    }
  }
  return ahead & ~behind;
}
