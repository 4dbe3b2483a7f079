// The first pass over contacts with a mesh: a triangle and a convex body by themselves. src/parts/surface/first-pass.ts
// says what is proposed, and does the same in double precision.

import package::part-pairs::surface::accepted-normal::{
  isAccepted, isAcceptedAtEdge, isAcceptedAtVertex, isBehindFront, madeExact
};
import package::part-pairs::surface::arc-search::{leastOnArc};
import package::part-pairs::surface::convex-part::{lowestPoint};
import package::part-pairs::surface::feature-casts::{Exit, Feature, exitOf};
import package::part-pairs::surface::proposals::{
  Proposal, NORMAL_ERROR, PROPOSAL_EDGE, PROPOSAL_EXACT, PROPOSAL_FACE, PROPOSAL_KEPT, PROPOSAL_NONE, PROPOSAL_THIN,
  PROPOSAL_VERTEX
};
import package::part-pairs::surface::rows::{SurfaceTriangle, cornerAt, edgePiece, isThin, pieceCount, spokesOf};
import package::part-pairs::surface::vertex-contact::{leastAtVertex};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core, Shape, CORE_POINT, CORE_SEGMENT};

// A normal of a feature may be outside of the accepted ones by this angle, in radians.
const EXACT_SLACK: f32 = 1e-4;

// Arcs of fewer radians are those of a flat edge.
const LEAST_ARC: f32 = 1e-6;

// A cast's point this near to the end of an edge, as a share of its length, is its vertex.
const AT_END: f32 = 1e-5;

// Ways that differ by less than this share are the same.
const SAME_WAY: f32 = 4e-6;

// Bodies that overlap by less than the first number of ULPS, along a normal with more than the second, only touch.
const TOUCHING_ULPS: f32 = 4.0;
const NOT_TOUCHING_ULPS: f32 = 64.0;

// The steps of the search: the triangle's face, its edges, its corners.
const FACE_STEP: u32 = 0u;
const FIRST_EDGE_STEP: u32 = 1u;
const FIRST_CORNER_STEP: u32 = 4u;
const STEP_COUNT: u32 = 7u;

// A contact of the triangle, A, and the convex body, B: in A's frame, about the triangle's middle, in the pair's unit.
struct GivenContact {
  // From the triangle to the body.
  normal: vec3f,
  // Negative for a gap.
  depth: f32,
  // On the triangle.
  point: vec3f,
}

// A normal to cast along, and the feature that is cast at.
struct CastTo {
  isThere: bool,
  normal: vec3f,
  clearance: f32,
  feature: Feature,
}

fn proposeContact(
  pair: Pair, shapeB: Shape, triangle: SurfaceTriangle, given: GivenContact, margin: f32, reach: f32
) -> Proposal {
  var to: Proposal;
  to.kind = PROPOSAL_NONE;
  to.normal = given.normal;
  to.point = given.point;
  to.depth = given.depth;
  to.clearance = given.depth;
  to.exit = given.depth;
  to.travel = given.depth;
  to.slack = SAME_WAY * reach;
  to.weld = triangle.weld;
  if (isThin(triangle)) {
    to.kind = PROPOSAL_THIN;
    return to;
  }
  if (!isBehindFront(triangle, given.normal) && isAccepted(triangle, given.normal, given.point, NORMAL_ERROR)) {
    to.normal = madeExact(triangle, NORMAL_ERROR, given.normal);
    to.kind = select(PROPOSAL_EXACT, PROPOSAL_KEPT, all(to.normal == given.normal));
    return to;
  }
  var step = FACE_STEP;
  var piece = 0u;
  var needsWhole = false;
  // One loop for all features, as compilers inline every call.
  loop {
    // With a value: on lavapipe, a variable without one has that of the round before.
    var candidate = CastTo();
    let now = step;
    if (needsWhole) {
      candidate = CastTo(true, to.normal, to.clearance, wholeOf(pair));
    } else if (now == FACE_STEP) {
      candidate = faceCandidate(pair, triangle, reach);
      step++;
    } else {
      let isOpen = to.kind == PROPOSAL_NONE || to.clearance > given.depth * (1.0 + SAME_WAY);
      // Edges are all tried or none.
      let isDecided = !isOpen && (now >= FIRST_CORNER_STEP || (now == FIRST_EDGE_STEP && piece == 0u));
      if (now >= STEP_COUNT || given.depth <= 0.0 || isDecided) {
        break;
      }
      if (now < FIRST_CORNER_STEP) {
        let edge = now - FIRST_EDGE_STEP;
        if (piece < pieceCount(triangle, edge)) {
          candidate = edgeCandidate(pair, triangle, edge, piece);
          piece++;
        }
        if (piece >= pieceCount(triangle, edge)) {
          piece = 0u;
          step++;
        }
      } else {
        candidate = cornerCandidate(pair, shapeB, triangle, now - FIRST_CORNER_STEP);
        step++;
      }
      if (!candidate.isThere || !isBetter(candidate.clearance, to)) {
        continue;
      }
    }
    let castMargin = select(0.0, margin, now == FACE_STEP);
    let exit = exitOf(pair, candidate.feature, candidate.normal, candidate.clearance, castMargin, reach);
    if (needsWhole) {
      needsWhole = false;
      // A cast that only grazes the triangle finds nothing.
      to.travel = select(to.exit, min(exit.distance, candidate.clearance), exit.isPassed);
    } else if (now == FACE_STEP) {
      to = withFace(to, pair, triangle, candidate, exit, margin);
    } else {
      var isPassed = exit.isPassed && exit.distance > 0.0;
      if (isPassed && now < FIRST_CORNER_STEP) {
        isPassed = isEdgeNormal(triangle, now - FIRST_EDGE_STEP, candidate.normal, exit.point);
      }
      let kind = select(PROPOSAL_VERTEX, PROPOSAL_EDGE, now < FIRST_CORNER_STEP);
      let isTaken = isPassed && isTakenFrom(candidate, exit, to);
      to = withFeature(to, kind, candidate, exit, isPassed, isTaken);
      // What leaves the feature last of all has left the triangle.
      needsWhole = isTaken && to.exit < to.clearance * (1.0 - SAME_WAY);
    }
  }
  let isTouching = to.depth <= TOUCHING_ULPS * EPSILON && to.exit > NOT_TOUCHING_ULPS * EPSILON;
  if (to.kind == PROPOSAL_NONE || isTouching) {
    to.kind = PROPOSAL_NONE;
    to.exit = to.depth;
    to.clearance = to.depth;
    to.travel = 1e30;
    to.full = 0.0;
  }
  return to;
}

fn isBetter(clearance: f32, than: Proposal) -> bool {
  return than.kind == PROPOSAL_NONE || clearance < than.clearance * (1.0 + SAME_WAY);
}

// The triangle itself.
fn wholeOf(pair: Pair) -> Feature {
  return Feature(pair.coreA, mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), vec3f(0.0));
}

// The triangle's own normal, on the side with less of the body behind it.
fn faceCandidate(pair: Pair, triangle: SurfaceTriangle, reach: f32) -> CastTo {
  let n = triangle.normal;
  let plane = dot(cornerAt(triangle, 0u), n);
  let below = plane - dot(lowestPoint(pair, n), n);
  let above = dot(lowestPoint(pair, -n), n) - plane;
  // Without regard to the order of corners.
  let isNegative = n.x < 0.0 || (n.x == 0.0 && (n.y < 0.0 || (n.y == 0.0 && n.z < 0.0)));
  let isTie = abs(below - above) <= SAME_WAY * reach;
  let isFlipped = !triangle.isFront && select(below > above, isNegative, isTie);
  return CastTo(true, select(n, -n, isFlipped), select(below, above, isFlipped), wholeOf(pair));
}

// `to` with the triangle's own normal, if the body is over the triangle.
fn withFace(
  given: Proposal, pair: Pair, triangle: SurfaceTriangle, candidate: CastTo, exit: Exit, margin: f32
) -> Proposal {
  var to = given;
  if (!exit.isPassed || exit.distance <= -margin) {
    return to;
  }
  let clearance = candidate.clearance;
  to.kind = PROPOSAL_FACE;
  to.normal = candidate.normal;
  to.clearance = clearance;
  to.exit = min(exit.distance, max(clearance, min(exit.distance, 0.0)));
  to.travel = to.exit;
  to.point = exit.point;
  if (given.depth > 0.0 && exit.distance < clearance) {
    to.fullPoint = lowestPoint(pair, candidate.normal) + candidate.normal * clearance;
    let centroid = (cornerAt(triangle, 0u) + cornerAt(triangle, 1u) + cornerAt(triangle, 2u)) / 3.0;
    to.full = select(0.0, clearance, triangle.flatReach - length(to.fullPoint - centroid) >= clearance);
  }
  return to;
}

// The best normal of a piece of an edge.
fn edgeCandidate(pair: Pair, triangle: SurfaceTriangle, edge: u32, number: u32) -> CastTo {
  var candidate: CastTo;
  let piece = edgePiece(triangle, edge, number);
  let least = select(piece.least, max(0.0, piece.least), triangle.isFront);
  if (piece.greatest - least <= LEAST_ARC) {
    return candidate;
  }
  let found = leastOnArc(pair, piece, triangle.normal, least, piece.greatest);
  let half = 0.5 * (piece.last - piece.first) * piece.length;
  var core: Core;
  core.kind = CORE_SEGMENT;
  core.halfExtents = vec3f(0.0, half, 0.0);
  core.scale = 1.0;
  let middle = piece.corner + piece.along * (piece.first * piece.length + half);
  let axes = mat3x3f(piece.across, piece.along, triangle.normal);
  return CastTo(found.clearance > 0.0, found.normal, found.clearance, Feature(core, axes, middle));
}

// Whether the edge's normal is accepted at a point of the edge by all features there.
fn isEdgeNormal(triangle: SurfaceTriangle, edge: u32, normal: vec3f, point: vec3f) -> bool {
  let piece = edgePiece(triangle, edge, 0u);
  let share = dot(point - piece.corner, piece.along) / piece.length;
  if (share < AT_END && !isAcceptedAtVertex(triangle, edge, normal, EXACT_SLACK)) {
    return false;
  }
  if (share > 1.0 - AT_END && !isAcceptedAtVertex(triangle, (edge + 1u) % 3u, normal, EXACT_SLACK)) {
    return false;
  }
  return isAcceptedAtEdge(triangle, edge, normal, point, EXACT_SLACK);
}

// The best normal of the cone of a corner.
fn cornerCandidate(pair: Pair, shapeB: Shape, triangle: SurfaceTriangle, corner: u32) -> CastTo {
  var candidate: CastTo;
  if (spokesOf(triangle, corner).y == 0u) {
    return candidate;
  }
  let found = leastAtVertex(pair, shapeB, triangle, corner, EXACT_SLACK);
  var core: Core;
  core.kind = CORE_POINT;
  core.scale = 1.0;
  let feature = Feature(core, wholeOf(pair).axes, cornerAt(triangle, corner));
  let isThere = found.clearance > 0.0 && !isBehindFront(triangle, found.normal);
  return CastTo(isThere, found.normal, found.clearance, feature);
}

// Whether a candidate that is better, or as good, takes the place of what is proposed so far.
fn isTakenFrom(candidate: CastTo, exit: Exit, than: Proposal) -> bool {
  let isTie = than.kind != PROPOSAL_NONE && candidate.clearance >= than.clearance * (1.0 - SAME_WAY);
  return !isTie || min(exit.distance, candidate.clearance) > than.exit;
}

// `given` with a candidate that is taken; of a feature that is not passed, with its plane.
fn withFeature(
  given: Proposal, kind: u32, candidate: CastTo, exit: Exit, isPassed: bool, isTaken: bool
) -> Proposal {
  var to = given;
  let clearance = candidate.clearance;
  if (!isPassed && (to.otherClearance == 0.0 || clearance < to.otherClearance)) {
    to.otherClearance = clearance;
    to.otherNormal = candidate.normal;
  }
  if (isTaken) {
    to.kind = kind;
    to.normal = candidate.normal;
    to.clearance = clearance;
    to.exit = min(exit.distance, clearance);
    to.travel = clearance;
    to.full = 0.0;
    to.point = exit.point;
  }
  return to;
}
