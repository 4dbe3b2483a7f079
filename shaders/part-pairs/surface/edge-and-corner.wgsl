// The normals of an edge and of a corner that the first pass over contacts with a surface tries (first-pass.wgsl).

import package::part-pairs::surface::accepted-normal::{isAcceptedAtEdge, isAcceptedAtVertex, isBehindFront};
import package::part-pairs::surface::arc-search::{Arc, ArcNormal, leastOnArc};
import package::part-pairs::surface::feature-casts::{CastTo, Feature, UNTURNED};
import package::part-pairs::surface::rows::{SurfacePart, cornerAt, edgePiece, endsOfEdge, pieceCount, spokesOf};
import package::part-pairs::surface::vertex-contact::{VertexNormal, leastAtVertex, rimOfCone};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core, Shape, CORE_POINT, CORE_SEGMENT};

// A normal of a feature may be outside of the accepted ones by this angle, in radians.
const EXACT_SLACK: f32 = 1e-4;

// Corners with more spokes have no normal of their own.
const MOST_SPOKES: u32 = 250u;

// Arcs of fewer radians are those of a flat edge.
const LEAST_ARC: f32 = 1e-6;

// A cast's point this near to the end of an edge, as a share of its length, is its vertex.
const AT_END: f32 = 1e-5;

// What an arc of an edge or a corner comes to, and whether it is the last one there.
struct TriedArc {
  candidate: CastTo,
  isLast: bool,
}

// An edge has an arc and a candidate for each piece. The cone of a corner has an arc across each spoke, and a candidate
// once these have all been tried. `ofCorner`: the best normal of the corner so far.
fn triedArc(
  pair: Pair, shapeB: Shape, part: SurfacePart, isEdge: bool, feature: u32, number: u32,
  ofCorner: ptr<function, VertexNormal>
) -> TriedArc {
  var count = 0u;
  var arc = Arc();
  if (isEdge) {
    count = pieceCount(part, feature);
    arc = arcOfPiece(part, feature, number);
  } else {
    let spokes = spokesOf(part, feature).y;
    count = select(0u, spokes, spokes <= MOST_SPOKES);
    if (number == 0u) {
      *ofCorner = VertexNormal();
    }
    if (number == 0u && count > 0u) {
      *ofCorner = leastAtVertex(pair, shapeB, part, feature, EXACT_SLACK);
    }
    if (number < count) {
      arc = rimOfCone(part, feature, number);
    }
  }
  var found = ArcNormal(vec3f(0.0), 0.0);
  if (number < count && arc.greatest - arc.least > LEAST_ARC) {
    found = leastOnArc(pair, arc);
  }
  let isLast = number + 1u >= count;
  if (isEdge) {
    return TriedArc(CastTo(found.clearance > 0.0, found.normal, found.clearance, segmentOf(arc)), isLast);
  }
  if (found.clearance > 0.0 && ((*ofCorner).clearance == 0.0 || found.clearance < (*ofCorner).clearance)) {
    *ofCorner = VertexNormal(found.normal, found.clearance);
  }
  let best = *ofCorner;
  let isThere = isLast && best.clearance > 0.0 && !isBehindFront(part, best.normal);
  return TriedArc(CastTo(isThere, best.normal, best.clearance, pointOf(cornerAt(part, feature))), isLast);
}

// The accepted normals of a piece of an edge.
fn arcOfPiece(part: SurfacePart, edge: u32, number: u32) -> Arc {
  let piece = edgePiece(part, edge, number);
  let least = select(piece.least, max(0.0, piece.least), part.isFront);
  return Arc(piece, least, piece.greatest);
}

// The segment of the edge that an arc belongs to.
fn segmentOf(arc: Arc) -> Feature {
  let piece = arc.piece;
  let half = 0.5 * (piece.last - piece.first) * piece.length;
  var core: Core;
  core.kind = CORE_SEGMENT;
  core.halfExtents = vec3f(0.0, half, 0.0);
  core.scale = 1.0;
  let middle = piece.corner + piece.along * (piece.first * piece.length + half);
  return Feature(core, mat3x3f(piece.across, piece.along, piece.normal), middle);
}

fn pointOf(corner: vec3f) -> Feature {
  var core: Core;
  core.kind = CORE_POINT;
  core.scale = 1.0;
  return Feature(core, UNTURNED, corner);
}

// Whether the edge's normal is accepted at a point of the edge by all features there.
fn isEdgeNormal(part: SurfacePart, edge: u32, normal: vec3f, point: vec3f) -> bool {
  let piece = edgePiece(part, edge, 0u);
  let share = dot(point - piece.corner, piece.along) / piece.length;
  let ends = endsOfEdge(part, edge);
  if (share < AT_END && !isAcceptedAtVertex(part, ends.x, normal, EXACT_SLACK)) {
    return false;
  }
  if (share > 1.0 - AT_END && !isAcceptedAtVertex(part, ends.y, normal, EXACT_SLACK)) {
    return false;
  }
  return isAcceptedAtEdge(part, edge, normal, point, EXACT_SLACK);
}
