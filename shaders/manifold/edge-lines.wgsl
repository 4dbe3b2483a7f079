// Edges of polytopes as lines. A line along an edge, such as the side of a cylinder, touches the polytope in that edge
// alone or, near the border of a face, in a strip of the face that rounding makes or leaves out. Clipped against the
// face, it would have two corners or one by chance. As two lines they have the ends of their overlap.

import package::shared::constants::{
  MANIFOLD_BORDER, MANIFOLD_CURVED_DEPTH, MANIFOLD_EDGE_COSINE, MANIFOLD_PARALLEL
};
import package::shared::geometry::{geometryLoop, geometryNeighbour};
import package::shared::shapes::{CORE_BOX, CORE_HULL};
import package::contact-face::face::{ContactFace, exchangeFaces, faceVertex, faceVertexNumber};
import package::contact-face::segment::{across};
import package::manifold::lines::{Line, lineOf};

struct TwoLines {
  areThere: bool,
  a: Line,
  b: Line,
}

// The lines in which two contact faces touch if at least one of them is a face of a polytope, and the other one a line
// or, if one of them is rounded, such a face. `distance` is the contact's, whose point on A is the frame's origin.
fn linesAtEdges(
  a: ptr<function, ContactFace>, b: ptr<function, ContactFace>, distance: f32, isCurved: bool, bodies: u32
) -> TwoLines {
  var found = TwoLines(false, lineOf(*a), lineOf(*b));
  // The first one may be found without a line to run along.
  let isLine = (*a).count == 2u || (*b).count == 2u;
  if (!isLine && !isAlongEdge(*a, *b) && !isAlongEdge(*b, *a)) {
    return found;
  }
  // Where a round surface is as deep as the contact, to within MANIFOLD_CURVED_DEPTH.
  let bend = 2.0 * select(found.a.bend, found.b.bend, (*b).count == 2u);
  let near = max(MANIFOLD_BORDER, select(0.0, sqrt(2.0 * bend * MANIFOLD_CURVED_DEPTH), isCurved));
  var along = select(found.a.half, found.b.half, (*b).count == 2u) * select(0.0, 1.0, isLine);
  // In a loop: compilers inline every call.
  var isB = (*a).count == 2u || ((*b).count != 2u && !isAlongEdge(*a, *b));
  found.areThere = true;
  exchangeFaces(a, b, isB);
  for (var round = 0u; round < select(bodies, 1u, isLine) && found.areThere; round++) {
    let core = vec3f(0.0, 0.0, select(0.0, distance, isB) - (*a).side * (*a).radius);
    let edge = edgeAt(*a, core, along, near);
    found.areThere = edge.isThere;
    along = edge.line.half;
    if (isB) {
      found.b = edge.line;
    } else {
      found.a = edge.line;
    }
    exchangeFaces(a, b, true);
    isB = !isB;
  }
  exchangeFaces(a, b, isB);
  return found;
}

// Whether a sharp polytope leans on an edge, and the other one is rounded: rounded ones that lean on an edge are lines.
fn isAlongEdge(face: ContactFace, other: ContactFace) -> bool {
  return isOfPolytope(face) && face.radius == 0.0 && face.cosine < MANIFOLD_EDGE_COSINE &&
      isOfPolytope(other) && other.radius > 0.0;
}

fn isOfPolytope(face: ContactFace) -> bool {
  return face.count > 2u && face.kind <= CORE_HULL;
}

struct FoundEdge {
  isThere: bool,
  line: Line,
}

// The edge of a polytope's face that is nearest to a point of the core, no farther than `near`, and parallel to
// `along`, unless that is 0.
fn edgeAt(face: ContactFace, point: vec3f, along: vec3f, near: f32) -> FoundEdge {
  var found: FoundEdge;
  if (!isOfPolytope(face)) {
    return found;
  }
  let toCore = face.normal * face.radius;
  let limit = MANIFOLD_PARALLEL * length(along);
  var least = near;
  var number = 0u;
  var start = vec3f(0.0);
  // The first step only finds where the first edge starts.
  for (var i = 0u; i <= face.count; i++) {
    let next = select(i, face.count, i == 0u) - 1u;
    let end = faceVertex(face, next) - toCore;
    let edge = end - start;
    let share = clamp(dot(point - start, edge) / max(dot(edge, edge), 1e-30), 0.0, 1.0);
    let apart = distance(start + edge * share, point);
    if (i > 0u && apart <= least && length(cross(edge, along)) <= limit * length(edge)) {
      least = apart;
      found.isThere = true;
      found.line.middle = 0.5 * (start + end);
      found.line.half = 0.5 * edge;
      found.line.ends = vec2u(number, next);
    }
    number = next;
    start = end;
  }
  if (found.isThere) {
    found.line.flanks = mat2x3f(face.normal, neighbourOf(face, found.line.ends));
    found.line.ends = vec2u(faceVertexNumber(face, found.line.ends.x), faceVertexNumber(face, found.line.ends.y));
  }
  found.line.over = found.line.middle.xy + across(vec3f(0.0, 0.0, face.side), found.line.half).xy * face.radius;
  found.line.side = face.side;
  found.line.bend = face.radius;
  found.line.slant = vec2f(1.0, 0.0);
  return found;
}

// Outward normal of the face beyond the edge between two of a face's vertices.
fn neighbourOf(face: ContactFace, ends: vec2u) -> vec3f {
  if (face.kind == CORE_BOX) {
    let axis = normalize(face.columns[(ends.x & 1u) ^ 1u]);
    return select(axis, -axis, ends.x == 0u || ends.x == 3u);
  }
  let first = geometryLoop(face.firstLoopRow, face.loopStart + ends.x);
  let last = geometryLoop(face.firstLoopRow, face.loopStart + ends.y);
  return normalize(face.columns * geometryNeighbour(face.firstFaceRow, face.firstLoopRow, vec2u(first, last)));
}

// Makes a contact face the line that it touches in.
fn becomeLine(face: ptr<function, ContactFace>, line: Line) {
  if ((*face).count > 2u) {
    (*face).origin = line.middle + across(vec3f(0.0, 0.0, (*face).side), line.half) * (*face).radius;
  }
  (*face).count = 2u;
  (*face).loopStart = 0u;
  (*face).isArea = false;
  (*face).ends = line.ends;
  (*face).columns = mat3x3f(line.half, vec3f(0.0), vec3f(0.0));
  (*face).middle = line.middle;
}
