// Whether a unit vector, which points from a triangle or a solid to a body that touches it, is a normal of the surface
// at the point of contact: the polar test. src/parts/surface/accepted-normal.ts does the same in double precision.

import package::part-pairs::surface::angle::{angleOf};
import package::part-pairs::surface::rows::{
  EdgePiece, SurfacePart, cornerAt, edgePiece, endsOfEdge, isThin, normalOfFace, openPolygon, pieceCount, polygonCount,
  spokeAt, spokesOf
};
import package::shared::geometry::{geometryVector};

// By how many times the error of contacts' normals a normal may be outside of the accepted ones. A rejected one is
// found again, exactly.
const ACCEPT_SLACK: f32 = 5.0;

// A point this share of an edge's length outside of a piece is on it, and this share of a solid's size outside of an
// open polygon.
const PIECE_SLACK: f32 = 1e-4;

// By how much a normal of the front of a triangle may point behind it, as a sine.
const FRONT_SLACK: f32 = 1e-3;

fn isBehindFront(part: SurfacePart, normal: vec3f) -> bool {
  return part.isFront && dot(normal, normalOfFace(part, 0u)) < -FRONT_SLACK;
}

// `angle`: the error of contacts' normals, in radians. The body may touch with any corner that is lower than the
// highest by no more than this error.
fn isAccepted(part: SurfacePart, normal: vec3f, point: vec3f, angle: f32) -> bool {
  if (isThin(part)) {
    return false;
  }
  let slack = ACCEPT_SLACK * angle;
  let origin = cornerAt(part, 0u);
  var highest = -1e30;
  var extents = vec3f(0.0);
  for (var corner = 0u; corner < part.cornerCount; corner++) {
    let between = cornerAt(part, corner) - origin;
    highest = max(highest, dot(between, normal));
    extents = max(extents, abs(between));
  }
  let size = max(extents.x, max(extents.y, extents.z));
  let near = PIECE_SLACK * size + 2.0 * part.weld;
  if (isFaceNormal(part, normal, point, slack, near)) {
    return true;
  }
  let lowest = highest - max(angle * size, 2.0 * part.weld);
  var high = 0u;
  for (var corner = 0u; corner < part.cornerCount; corner++) {
    high += u32(dot(cornerAt(part, corner) - origin, normal) >= lowest);
  }
  // Up to two high corners have the point of contact. Of more, it may be on the face between.
  for (var edge = 0u; edge < part.edgeCount; edge++) {
    let ends = endsOfEdge(part, edge);
    let first = dot(cornerAt(part, ends.x) - origin, normal);
    let second = dot(cornerAt(part, ends.y) - origin, normal);
    if (min(first, second) >= lowest && isAcceptedAtEdge(part, edge, normal, point, slack) &&
        (high <= 2u || isAtEdge(edgePiece(part, edge, 0u), point, near))) {
      return true;
    }
  }
  for (var corner = 0u; corner < part.cornerCount; corner++) {
    let place = cornerAt(part, corner);
    if (dot(place - origin, normal) >= lowest && isAcceptedAtVertex(part, corner, normal, 0.5 * slack) &&
        (high == 1u || length(place - point) <= near)) {
      return true;
    }
  }
  return false;
}

// Whether a normal is that of a face within an angle, of a solid where the face is open.
fn isFaceNormal(part: SurfacePart, normal: vec3f, point: vec3f, slack: f32, near: f32) -> bool {
  for (var face = 0u; face < part.faceCount; face++) {
    let n = normalOfFace(part, face);
    if (length(cross(n, normal)) > slack) {
      continue;
    }
    if (!part.isSolid) {
      return true;
    }
    let count = select(0u, polygonCount(part, face), dot(n, normal) > 0.0);
    for (var i = 0u; i < count; i++) {
      if (isInPolygon(part, face, i, point, near)) {
        return true;
      }
    }
  }
  return false;
}

// Whether a point of a face's plane is in an open polygon, or no farther outside than `near`.
fn isInPolygon(part: SurfacePart, face: u32, number: u32, point: vec3f, near: f32) -> bool {
  let polygon = openPolygon(part, face, number);
  if (polygon.isWhole) {
    return true;
  }
  let normal = normalOfFace(part, face);
  var last = geometryVector(polygon.firstRow + polygon.count - 1u) * part.scale;
  for (var i = 0u; i < polygon.count; i++) {
    let next = geometryVector(polygon.firstRow + i) * part.scale;
    let inward = cross(normal, next - last);
    if (dot(point - last, inward) < -near * length(inward)) {
      return false;
    }
    last = next;
  }
  return true;
}

// Whether a point is on the line of an edge.
fn isAtEdge(edge: EdgePiece, point: vec3f, near: f32) -> bool {
  return length(cross(point - edge.corner, edge.along)) <= near;
}

// Whether a normal is accepted at a point of an edge, within an angle.
fn isAcceptedAtEdge(part: SurfacePart, edge: u32, normal: vec3f, point: vec3f, slack: f32) -> bool {
  let count = pieceCount(part, edge);
  for (var i = 0u; i < count; i++) {
    let piece = edgePiece(part, edge, i);
    if (abs(dot(normal, piece.along)) > slack) {
      return false;
    }
    let angle = angleOf(vec2f(dot(normal, piece.across), dot(normal, piece.normal)));
    let share = dot(point - piece.corner, piece.along) / piece.length;
    if (share >= piece.first - PIECE_SLACK && share <= piece.last + PIECE_SLACK && angle >= piece.least - slack &&
        angle <= piece.greatest + slack) {
      return true;
    }
  }
  return false;
}

// Whether a normal is accepted at a corner whose vertex has a cone, within an angle.
fn isAcceptedAtVertex(part: SurfacePart, corner: u32, normal: vec3f, slack: f32) -> bool {
  let spokes = spokesOf(part, corner);
  for (var i = 0u; i < spokes.y; i++) {
    if (dot(spokeAt(spokes.x + i), normal) > slack) {
      return false;
    }
  }
  return spokes.y > 0u;
}

// Whether a normal is exactly that of a face, on either side.
fn isOfAnyFace(part: SurfacePart, normal: vec3f) -> bool {
  var isOne = false;
  for (var face = 0u; face < part.faceCount; face++) {
    let n = normalOfFace(part, face);
    isOne |= all(n == normal) || all(-n == normal);
  }
  return isOne;
}

// An accepted normal, exact if it is a face's, or across an edge, up to its error. Otherwise a plane along it would cut
// into the parts beside.
fn madeExact(part: SurfacePart, angle: f32, normal: vec3f) -> vec3f {
  for (var face = 0u; face < part.faceCount; face++) {
    let n = normalOfFace(part, face);
    let isBehind = dot(n, normal) < 0.0;
    if (length(cross(n, normal)) <= angle && !(part.isSolid && isBehind)) {
      return select(n, -n, isBehind);
    }
  }
  for (var edge = 0u; edge < part.edgeCount; edge++) {
    let piece = edgePiece(part, edge, 0u);
    let along = dot(normal, piece.along);
    if (abs(along) <= angle && dot(normal, piece.across) >= -ACCEPT_SLACK * angle) {
      return normalize(normal - along * piece.along);
    }
  }
  return normal;
}
