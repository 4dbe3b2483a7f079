// Whether a unit vector, which points from a triangle of a mesh to a body that touches it, is a normal of the mesh's
// surface at the point of contact: the polar test. src/parts/surface/accepted-normal.ts does the same in double
// precision.

import package::part-pairs::surface::rows::{
  EdgePiece, SurfaceTriangle, cornerAt, edgePiece, isThin, pieceCount, spokeAt, spokesOf
};

// By how many times the error of contacts' normals a normal may be outside of the accepted ones. A rejected one is
// found again, exactly.
const ACCEPT_SLACK: f32 = 5.0;

// A point this share of an edge's length outside of a piece is on it.
const PIECE_SLACK: f32 = 1e-4;

// By how much a normal of the front of a triangle may point behind it, as a sine.
const FRONT_SLACK: f32 = 1e-3;

fn isBehindFront(triangle: SurfaceTriangle, normal: vec3f) -> bool {
  return triangle.isFront && dot(normal, triangle.normal) < -FRONT_SLACK;
}

// `angle`: the error of contacts' normals, in radians. The body may touch with any corner that is lower than the
// highest by no more than this error.
fn isAccepted(triangle: SurfaceTriangle, normal: vec3f, point: vec3f, angle: f32) -> bool {
  if (isThin(triangle)) {
    return false;
  }
  let slack = ACCEPT_SLACK * angle;
  if (length(cross(triangle.normal, normal)) <= slack) {
    return true;
  }
  let toSecond = cornerAt(triangle, 1u) - cornerAt(triangle, 0u);
  let toThird = cornerAt(triangle, 2u) - cornerAt(triangle, 0u);
  let heights = vec3f(0.0, dot(toSecond, normal), dot(toThird, normal));
  let extents = max(abs(toSecond), abs(toThird));
  let size = max(extents.x, max(extents.y, extents.z));
  let lowest = max(heights.x, max(heights.y, heights.z)) - max(angle * size, 2.0 * triangle.weld);
  let isHigh = heights >= vec3f(lowest);
  let high = countOneBits(dot(select(vec3u(0u), vec3u(1u, 2u, 4u), isHigh), vec3u(1u)));
  let near = PIECE_SLACK * size + 2.0 * triangle.weld;
  // Up to two high corners have the point of contact. Of three, it may be on the face between.
  for (var edge = 0u; edge < 3u; edge++) {
    if (isHigh[edge] && isHigh[(edge + 1u) % 3u] && isAcceptedAtEdge(triangle, edge, normal, point, slack) &&
        (high <= 2u || isAtEdge(edgePiece(triangle, edge, 0u), point, near))) {
      return true;
    }
  }
  for (var corner = 0u; corner < 3u; corner++) {
    if (isHigh[corner] && isAcceptedAtVertex(triangle, corner, normal, 0.5 * slack) &&
        (high == 1u || length(cornerAt(triangle, corner) - point) <= near)) {
      return true;
    }
  }
  return false;
}

// Whether a point is on the line of an edge.
fn isAtEdge(edge: EdgePiece, point: vec3f, near: f32) -> bool {
  return length(cross(point - edge.corner, edge.along)) <= near;
}

// Whether a normal is accepted at a point of an edge, within an angle.
fn isAcceptedAtEdge(triangle: SurfaceTriangle, edge: u32, normal: vec3f, point: vec3f, slack: f32) -> bool {
  let count = pieceCount(triangle, edge);
  for (var i = 0u; i < count; i++) {
    let piece = edgePiece(triangle, edge, i);
    if (abs(dot(normal, piece.along)) > slack) {
      return false;
    }
    let angle = atan2(dot(normal, triangle.normal), dot(normal, piece.across));
    let share = dot(point - piece.corner, piece.along) / piece.length;
    if (share >= piece.first - PIECE_SLACK && share <= piece.last + PIECE_SLACK && angle >= piece.least - slack &&
        angle <= piece.greatest + slack) {
      return true;
    }
  }
  return false;
}

// Whether a normal is accepted at a corner whose vertex has a cone, within an angle.
fn isAcceptedAtVertex(triangle: SurfaceTriangle, corner: u32, normal: vec3f, slack: f32) -> bool {
  let spokes = spokesOf(triangle, corner);
  for (var i = 0u; i < spokes.y; i++) {
    if (dot(spokeAt(spokes.x + i), normal) > slack) {
      return false;
    }
  }
  return spokes.y > 0u;
}

// An accepted normal, exact if it is the face's, or across an edge, up to its error. Otherwise a plane along it
// would cut into the triangles beside.
fn madeExact(triangle: SurfaceTriangle, angle: f32, normal: vec3f) -> vec3f {
  if (length(cross(triangle.normal, normal)) <= angle) {
    return select(triangle.normal, -triangle.normal, dot(triangle.normal, normal) < 0.0);
  }
  for (var edge = 0u; edge < 3u; edge++) {
    let piece = edgePiece(triangle, edge, 0u);
    let along = dot(normal, piece.along);
    if (abs(along) <= angle && dot(normal, piece.across) >= -ACCEPT_SLACK * angle) {
      return normalize(normal - along * piece.along);
    }
  }
  return normal;
}
