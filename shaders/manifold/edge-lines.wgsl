// Edges of polytopes as lines. A line along an edge, such as the side of a cylinder, touches the polytope in that edge
// alone or, near the border of a face, in a strip of the face that rounding makes or leaves out. Clipped against the
// face, it would have two corners or one by chance. As two lines they have the ends of their overlap.

import package::shared::constants::{
  MANIFOLD_BORDER, MANIFOLD_CURVED_DEPTH, MANIFOLD_EDGE_COSINE, MANIFOLD_PARALLEL
};
import package::shared::geometry::{geometryLoop, geometryNeighbour};
import package::shared::shapes::{CORE_BOX, CORE_HULL};
import package::contact-face::face::{ContactFace, TOUCHING_LINES, contactFaces, faceVertex, faceVertexNumber};
import package::contact-face::segment::{across};

// Whether two contact faces may touch in lines: at least one of them is a face of a polytope, and the other one a line
// or, if one of them is rounded, such a face.
fn areFacesAlongEdges() -> bool {
  return contactFaces[0].count == 2u || contactFaces[1].count == 2u ||
      isAlongEdge(contactFaces[0], contactFaces[1]) || isAlongEdge(contactFaces[1], contactFaces[0]);
}

// Turns the copies at TOUCHING_LINES into the lines in which two such faces touch. Returns false if they do not; the
// copies then have no meaning. `distance` is the contact's, whose point on A is the frame's origin.
fn linesAtEdges(distance: f32, isCurved: bool, bodies: u32) -> bool {
  let areLines = vec2<bool>(contactFaces[0].count == 2u, contactFaces[1].count == 2u);
  let isLine = any(areLines);
  // Where a round surface is as deep as the contact, to within MANIFOLD_CURVED_DEPTH.
  let bend = 2.0 * select(contactFaces[0].bend, contactFaces[1].bend, areLines.y);
  let near = max(MANIFOLD_BORDER, select(0.0, sqrt(2.0 * bend * MANIFOLD_CURVED_DEPTH), isCurved));
  // The first one may be found without a line to run along.
  var along = select(contactFaces[0].columns[0], contactFaces[1].columns[0], areLines.y) * select(0.0, 1.0, isLine);
  // In a loop: compilers inline every call.
  let first = select(0u, 1u, areLines.x || (!areLines.y && !isAlongEdge(contactFaces[0], contactFaces[1])));
  for (var round = 0u; round < select(bodies, 1u, isLine); round++) {
    let number = first ^ round;
    var face = contactFaces[number];
    let core = vec3f(0.0, 0.0, select(0.0, distance, number == 1u) - face.side * face.radius);
    if (!becomeEdge(&face, core, along, near)) {
      return false;
    }
    along = face.columns[0];
    contactFaces[TOUCHING_LINES + number] = face;
  }
  return true;
}

// Whether a sharp polytope leans on an edge, and the other one is rounded: rounded ones that lean on an edge are lines.
fn isAlongEdge(face: ContactFace, other: ContactFace) -> bool {
  return isOfPolytope(face) && face.radius == 0.0 && face.cosine < MANIFOLD_EDGE_COSINE &&
      isOfPolytope(other) && other.radius > 0.0;
}

fn isOfPolytope(face: ContactFace) -> bool {
  return face.count > 2u && face.kind <= CORE_HULL;
}

// Makes a polytope's contact face the line of its surface above an edge: the edge that is nearest to a point of the
// core, no farther than `near`, and parallel to `along`, unless that is 0.
fn becomeEdge(face: ptr<function, ContactFace>, point: vec3f, along: vec3f, near: f32) -> bool {
  if (!isOfPolytope(*face)) {
    return false;
  }
  let toCore = (*face).normal * (*face).radius;
  let limit = MANIFOLD_PARALLEL * length(along);
  var isFound = false;
  var half = vec3f(0.0);
  var ends = vec2u(0u);
  var least = near;
  var number = 0u;
  var start = vec3f(0.0);
  // The first step only finds where the first edge starts.
  for (var i = 0u; i <= (*face).count; i++) {
    let next = select(i, (*face).count, i == 0u) - 1u;
    let end = faceVertex(*face, next) - toCore;
    let edge = end - start;
    let share = clamp(dot(point - start, edge) / max(dot(edge, edge), 1e-30), 0.0, 1.0);
    let apart = distance(start + edge * share, point);
    if (i > 0u && apart <= least && length(cross(edge, along)) <= limit * length(edge)) {
      least = apart;
      isFound = true;
      (*face).middle = 0.5 * (start + end);
      half = 0.5 * edge;
      ends = vec2u(number, next);
    }
    number = next;
    start = end;
  }
  if (!isFound) {
    return false;
  }
  (*face).flanks = mat2x3f((*face).normal, neighbourOf(*face, ends));
  (*face).ends = vec2u(faceVertexNumber(*face, ends.x), faceVertexNumber(*face, ends.y));
  (*face).origin = (*face).middle + across(vec3f(0.0, 0.0, (*face).side), half) * (*face).radius;
  (*face).columns = mat3x3f(half, vec3f(0.0), vec3f(0.0));
  (*face).count = 2u;
  (*face).loopStart = 0u;
  (*face).isArea = false;
  (*face).isCapped = false;
  (*face).isRound = false;
  (*face).bend = (*face).radius;
  (*face).slant = vec2f(1.0, 0.0);
  return true;
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
