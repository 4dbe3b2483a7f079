// The polytope that EPA expands: vertices of the Minkowski difference, and triangles over them that know their
// neighbours.
//
// Edge e of a face runs from corner e to corner e + 1, and neighbour e is the face across it, in which the same edge
// runs backwards. To expand, the faces that see the new point are collected from neighbour to neighbour; a walk around
// their border gives the horizon, which has to be one loop; a fan of new faces takes the place of the removed ones.
//
//           c2                    apex
//          /  \                  / |  \      the fan's faces have corners v, next, apex and
//     n2  /    \  n1            /  |   \     neighbours outer, following, previous
//        /      \              /   |    \
//      c0 ------ c1          v0 -- v1 -- v2
//           n0                 outer faces
//
// Three modules are linked in by the kernel. They have module-scope variables, because a pointer to kilobytes is a copy
// on some platforms.
//
//   polytope::memory      where the arrays are: private, in private variables of the invocation
//   polytope::capacity    how many vertices and faces they hold, and sets of faces: small or medium
//   polytope::rank        which face is expanded next: the nearest to the origin, or the face that a ray is crossing
//
//   kernel             memory     capacity    rank
//   contacts-epa       private    small       nearest
//   contacts-refine    private    medium      nearest
//   impacts-parting    private    small       nearest
//   impacts-epa        private    medium      crossing

import package::shared::constants::{EPA_VISIBLE_ULPS, EPA_COPLANAR_ULPS, EPA_SAME_ULPS};
import package::shared::math::{EPSILON};
import package::shared::support::{Point};
import package::triangle::{TriangleFrame, triangleFrame};
import package::polytope::rank::{rankOf, orderOf, heightOf};
import package::polytope::capacity::{
  MAX_VERTICES, MAX_FACES, MAX_HORIZON, NumberSet, NONE, emptySet, contains, insert, takeFirst
};
import package::polytope::memory::{
  vertexAt, storeVertex, numberOnBAt, storeNumberOnB, rankAt, storeRank, cornersAt, storeCorners, neighboursAt,
  storeNeighbours, horizonAt, storeHorizon
};

var<private> vertexCount: u32;
// Number of face slots ever used; those among them that are free again, and their number.
var<private> faceCount: u32;
var<private> freeFaces: NumberSet;
var<private> freeCount: u32;

// Height of a face without an inside: it is never nearest and never visible.
const NO_HEIGHT: f32 = -1e30;
// Height of a face that could not be expanded.
const FACE_EXHAUSTED: f32 = -2e30;
// Height of a slot that holds no face.
const NO_FACE: f32 = -3e30;

// The face to expand next.
fn firstFace() -> u32 {
  var first = 0u;
  var greatest = -1e31;
  for (var f = 0u; f < faceCount; f++) {
    let order = orderOf(rankAt(f));
    if (order > greatest) {
      greatest = order;
      first = f;
    }
  }
  return first;
}

// Vertices and faces are below 1024.
fn pack(v: vec3u) -> u32 {
  return v.x | (v.y << 10u) | (v.z << 20u);
}

fn unpack(packed: u32) -> vec3u {
  return (vec3u(packed) >> vec3u(0u, 10u, 20u)) & vec3u(1023u);
}

fn positionOf(v: u32) -> vec3f {
  return bitcast<vec3f>(vertexAt(v).xyz);
}

fn setVertex(v: u32, point: Point) {
  storeVertex(v, vec4u(bitcast<vec3u>(point.position), point.id.x));
  storeNumberOnB(v, point.id.y);
}

fn idOf(v: u32) -> vec2u {
  return vec2u(vertexAt(v).w, numberOnBAt(v));
}

fn copyVertex(source: u32, to: u32) {
  storeVertex(to, vertexAt(source));
  storeNumberOnB(to, numberOnBAt(source));
}

// The three vertices of a face.
struct Corners {
  a: vec3f,
  b: vec3f,
  c: vec3f,
}

// In a loop, because every access to memory in the code takes compile time.
fn cornersOf(packed: u32) -> Corners {
  var numbers = unpack(packed);
  var at: Corners;
  for (var i = 0u; i < 3u; i++) {
    at = Corners(at.b, at.c, positionOf(numbers.x));
    numbers = numbers.yzx;
  }
  return at;
}

// The inward unit normal of a face, and the height of its plane along the normal. The normal is recomputed every time:
// storing it costs more memory and more time than reading three corners.
fn planeOf(f: u32) -> vec4f {
  let at = cornersOf(cornersAt(f));
  let outward = triangleFrame(at.a, at.b, at.c).normal;
  return vec4f(-outward, heightOf(rankAt(f), outward, at.a + at.b + at.c));
}

fn setFace(f: u32, vertices: vec3u, around: vec3u, a: vec3f, b: vec3f, c: vec3f) {
  let frame = triangleFrame(a, b, c);
  let height = select(NO_HEIGHT, -dot(frame.normal, a + b + c) / 3.0, frame.hasInside);
  storeRank(f, rankOf(height, frame.normal, frame, a));
  storeCorners(f, pack(vertices));
  storeNeighbours(f, pack(around));
}

// Starts with both sides of the triangle of vertices 0, 1, 2, of which `a` is the first: an empty polytope that can be
// expanded to either side. Face 0 sees points above it, face 1 points below.
fn startFaces(frame: TriangleFrame, a: vec3f) {
  let height = dot(frame.normal, a);
  storeRank(0u, rankOf(-height, frame.normal, frame, a));
  storeRank(1u, rankOf(height, -frame.normal, frame, a));
  storeCorners(0u, pack(vec3u(0u, 1u, 2u)));
  storeCorners(1u, pack(vec3u(0u, 2u, 1u)));
  storeNeighbours(0u, pack(vec3u(1u)));
  storeNeighbours(1u, 0u);
  faceCount = 2u;
  freeFaces = emptySet();
  freeCount = 0u;
}

const EXPAND_DONE: u32 = 0u;
const EXPAND_IMPOSSIBLE: u32 = 1u;
const EXPAND_FULL: u32 = 2u;

// Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them.
fn expand(face: u32, point: Point) -> u32 {
  let apex = findVertex(point.position);
  if (apex == MAX_VERTICES) {
    return EXPAND_FULL;
  }
  if (any(unpack(cornersAt(face)) == vec3u(apex))) {
    return EXPAND_IMPOSSIBLE;
  }
  var visible = emptySet();
  let region = collectVisible(face, point.position, &visible);
  if (region.edges > MAX_HORIZON) {
    return EXPAND_FULL;
  }
  let apexAt = walkHorizon(face, region.edges, apex, &visible);
  if (apexAt == NO_LOOP) {
    return EXPAND_IMPOSSIBLE;
  }
  // A vertex on the horizon needs no face to the two edges that it is an end of.
  let fan = region.edges - select(2u, 0u, apexAt == NONE);
  if (fan > region.faces + freeCount + MAX_FACES - faceCount) {
    return EXPAND_FULL;
  }
  if (apex == vertexCount) {
    setVertex(apex, point);
    vertexCount += 1u;
  }
  buildFan(apex, region.edges, fan, apexAt, &visible);
  freeCount = max(region.faces + freeCount, fan) - fan;
  return EXPAND_DONE;
}

// The vertex at `point`, or the number that a new one would get. If a support is already a vertex, the polytope is not
// quite convex there; expanding with it flips edges, which makes it convex.
fn findVertex(point: vec3f) -> u32 {
  for (var v = 0u; v < vertexCount; v++) {
    if (all(abs(positionOf(v) - point) <= vec3f(EPA_SAME_ULPS * EPSILON))) {
      return v;
    }
  }
  return vertexCount;
}

// Number of faces that see a point, and of the edges between them and the other faces.
struct Region {
  faces: u32,
  edges: u32,
}

// Collects the faces that see the point. The region grows from `face` across shared edges: a face elsewhere seems to
// see the point only by rounding. A face with the point in its plane is taken, too, if the point is on its side of the
// shared edge, because the fan would fold back over it.
fn collectVisible(face: u32, point: vec3f, visible: ptr<function, NumberSet>) -> Region {
  var waiting = emptySet();
  var hidden = emptySet();
  insert(visible, face);
  insert(&waiting, face);
  var faces = 0u;
  var innerEdges = 0u;
  for (; faces < MAX_FACES; faces++) {
    let f = takeFirst(&waiting);
    if (f == NONE) {
      break;
    }
    var around = unpack(neighboursAt(f));
    for (var e = 0u; e < 3u; e++) {
      let g = around.x;
      around = around.yzx;
      if (contains(visible, g)) {
        // The later of the two faces counts the edge.
        innerEdges += select(1u, 0u, contains(&waiting, g));
      } else if (!contains(&hidden, g)) {
        let plane = planeOf(g);
        let depth = dot(plane.xyz, point) - plane.w;
        if (depth >= EPA_COPLANAR_ULPS * EPSILON) {
          insert(&hidden, g);
        } else if (depth < -EPA_VISIBLE_ULPS * EPSILON || isOverEdge(f, e, plane.xyz, point)) {
          insert(visible, g);
          insert(&waiting, g);
        }
      }
    }
  }
  return Region(faces, 3u * faces - 2u * innerEdges);
}

// Whether the point lies on the far side of edge e of face f, in the plane of the face across it.
fn isOverEdge(f: u32, e: u32, normal: vec3f, point: vec3f) -> bool {
  let c = turn(unpack(cornersAt(f)), e);
  let start = positionOf(c.x);
  return dot(cross(normal, positionOf(c.y) - start), point - start) > 0.0;
}

// The components from number `first` on.
fn turn(v: vec3u, first: u32) -> vec3u {
  return select(select(v, v.yzx, first == 1u), v.zxy, first == 2u);
}

const NO_LOOP: u32 = 0xfffffffeu;

// Lists the edges between visible and other faces in order, and returns the place of the edge that starts at `apex`, or
// NONE. Returns NO_LOOP if the edges are not one simple loop. The walk turns around each vertex from face to face as
// long as faces are visible.
fn walkHorizon(face: u32, edges: u32, apex: u32, visible: ptr<function, NumberSet>) -> u32 {
  if (edges < 3u) {
    return NO_LOOP;
  }
  // The first edge.
  var candidates = *visible;
  var f = face;
  var around = unpack(neighboursAt(f));
  var side = outerEdge(around, visible);
  for (var i = 0u; i < MAX_FACES && side == 3u; i++) {
    f = takeFirst(&candidates);
    if (f == NONE) {
      return NO_LOOP;
    }
    around = unpack(neighboursAt(f));
    side = outerEdge(around, visible);
  }
  around = turn(around, side);
  var c = turn(unpack(cornersAt(f)), side);

  let start = c.x;
  var left = emptySet();
  var count = 0u;
  var apexAt = NONE;
  for (var i = 0u; i < MAX_FACES + MAX_HORIZON; i++) {
    if (contains(visible, around.x)) {
      // Across, to the edge that starts at the same vertex.
      let v = c.x;
      f = around.x;
      c = unpack(cornersAt(f));
      side = select(select(2u, 1u, c.y == v), 0u, c.x == v);
      around = turn(unpack(neighboursAt(f)), side);
      c = turn(c, side);
    } else {
      if (count == edges || contains(&left, c.x)) {
        return NO_LOOP;
      }
      insert(&left, c.x);
      storeHorizon(count, horizonEdge(c.x, around.x));
      if (c.x == apex) {
        apexAt = count;
      }
      count += 1u;
      if (c.y == start) {
        break;
      }
      c = c.yzx;
      around = around.yzx;
    }
  }
  return select(NO_LOOP, apexAt, count == edges);
}

// The first of a face's edges whose neighbour is not visible, or 3.
fn outerEdge(around: vec3u, visible: ptr<function, NumberSet>) -> u32 {
  if (!contains(visible, around.x)) {
    return 0u;
  }
  if (!contains(visible, around.y)) {
    return 1u;
  }
  return select(2u, 3u, contains(visible, around.z));
}

// An edge of the horizon by its first vertex and the face on its far side.
fn horizonEdge(v: u32, outer: u32) -> u32 {
  return v | (outer << 10u);
}

fn startOf(edge: u32) -> u32 {
  return edge & 1023u;
}

fn outerOf(edge: u32) -> u32 {
  return edge >> 10u;
}

// Closes the hole of the `removed` faces with `fan` faces around the vertex `apex`. They use the slots of the removed
// faces first.
fn buildFan(apex: u32, edges: u32, fan: u32, apexAt: u32, removed: ptr<function, NumberSet>) {
  let top = positionOf(apex);
  let isClosed = apexAt == NONE;
  var at = select(apexAt, 0u, isClosed);
  var edge = horizonAt(at);
  var slot = takeSlot(removed);
  let first = slot;
  var previous = 0u;
  if (!isClosed) {
    // The faces beyond the two edges at the apex are the fan's neighbours at its ends.
    previous = outerOf(edge);
    at = next(at, edges);
    edge = horizonAt(at);
    link(previous, startOf(edge), slot);
  }
  var a = positionOf(startOf(edge));
  for (var i = 1u; i <= fan; i++) {
    at = next(at, edges);
    let nextEdge = horizonAt(at);
    let b = positionOf(startOf(nextEdge));
    var following = select(outerOf(nextEdge), first, isClosed);
    if (i < fan) {
      following = takeSlot(removed);
    }
    setFace(slot, vec3u(startOf(edge), startOf(nextEdge), apex), vec3u(outerOf(edge), following, previous), a, b, top);
    link(outerOf(edge), startOf(nextEdge), slot);
    previous = slot;
    slot = following;
    edge = nextEdge;
    a = b;
  }
  // The neighbour of the first face, if the fan goes around, or of the face beyond its end.
  link(slot, apex, previous);
  // Rarely, vertices were buried, and there are fewer faces than before.
  for (var f = takeFirst(removed); f != NONE; f = takeFirst(removed)) {
    storeRank(f, NO_FACE);
    insertFree(f);
  }
}

fn next(i: u32, count: u32) -> u32 {
  return select(i + 1u, 0u, i + 1u == count);
}

// Puts the face f across the edge of face g that starts at v.
fn link(g: u32, v: u32, f: u32) {
  let c = unpack(cornersAt(g));
  let shift = select(select(20u, 10u, c.y == v), 0u, c.x == v);
  storeNeighbours(g, (neighboursAt(g) & ~(1023u << shift)) | (f << shift));
}

fn takeSlot(removed: ptr<function, NumberSet>) -> u32 {
  var slot = takeFirst(removed);
  if (slot == NONE) {
    var free = freeFaces;
    slot = takeFirst(&free);
    freeFaces = free;
  }
  if (slot == NONE) {
    slot = faceCount;
    faceCount += 1u;
  }
  return slot;
}

fn insertFree(f: u32) {
  var free = freeFaces;
  insert(&free, f);
  freeFaces = free;
}
