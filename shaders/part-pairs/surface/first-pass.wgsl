// The first pass over contacts with a surface: a triangle or a solid and a convex body by themselves.
// src/parts/surface/first-pass.ts says what is proposed, and does the same in double precision.

import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::edge-and-corner::{isEdgeNormal, triedArc};
import package::part-pairs::surface::feature-casts::{CastTo, Exit, Feature, UNTURNED, coreOfPolygon, exitOf};
import package::part-pairs::surface::proposals::{
  Proposal, PROPOSAL_BURIED, PROPOSAL_FACE, PROPOSAL_KEPT, PROPOSAL_LAST, PROPOSAL_NONE
};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS};
import package::part-pairs::surface::rows::{
  SurfacePart, cornerAt, heightOfFace, normalOfFace, openPolygon, polygonCount, wayOutCount
};
import package::part-pairs::surface::vertex-contact::{VertexNormal};
import package::part-pairs::surface::ways-out::{wayOut};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};

// Ways that differ by less than this share are the same.
const SAME_WAY: f32 = 4e-6;

// Bodies that overlap by less than the first number of ULPS, along a normal with more than the second, only touch.
const TOUCHING_ULPS: f32 = 4.0;
const NOT_TOUCHING_ULPS: f32 = 64.0;

// Less than this share before the body is beyond a plane, it has left the plane's face last of all.
const LEAVES_LAST: f32 = 1e-3;

// The phases of the search: faces, edges, corners, as their kinds of proposals; of solids then the open faces of all
// parts.
const FACES: u32 = 0u;
const EDGES: u32 = 1u;
const CORNERS: u32 = 2u;
const WAYS_OUT: u32 = 3u;

const NO_FACE: u32 = 0xffffffffu;

// A contact of the part, A, and the convex body, B: in A's frame, about the part's middle, in the pair's unit.
struct GivenContact {
  // From the part to the body.
  normal: vec3f,
  // Negative for a gap.
  depth: f32,
  // On the part.
  point: vec3f,
}

// A face of a solid, and how far the body moves until it is beyond it.
struct FaceOfSolid {
  face: u32,
  clearance: f32,
}

// The proposal of a contact as it is given.
fn givenProposal(part: SurfacePart, given: GivenContact, reach: f32) -> Proposal {
  var to: Proposal;
  to.kind = PROPOSAL_KEPT;
  to.normal = given.normal;
  to.point = given.point;
  to.depth = given.depth;
  to.clearance = given.depth;
  to.exit = given.depth;
  to.travel = given.depth;
  to.slack = SAME_WAY * reach;
  to.weld = part.weld;
  return to;
}

// What is searched: the part's own features; those, then ways out through other parts of the surface; or ways out
// alone.
const SEARCH_OWN: u32 = 0u;
const SEARCH_ALL: u32 = 1u;
const SEARCH_WAYS_OUT: u32 = 2u;

// What takes the place of a contact that is not accepted. `given`: the contact as it is.
fn searchedProposal(
  pair: Pair, shapeB: Shape, part: SurfacePart, given: Proposal, margin: f32, reach: f32, search: u32
) -> Proposal {
  var to = given;
  to.kind = PROPOSAL_NONE;
  var phase = select(FACES, CORNERS, search == SEARCH_WAYS_OUT);
  // The present face, edge or corner, and its polygon or piece.
  var feature = 0u;
  var number = 0u;
  var open = FaceOfSolid(NO_FACE, -1e30);
  var needsWhole = false;
  // The best normal of the present corner so far.
  var ofCorner: VertexNormal;
  var isOnlyWay = false;
  // One loop for all features, as compilers inline every call.
  loop {
    // With a value: on lavapipe, a variable without one has that of the round before.
    var candidate = CastTo();
    let now = phase;
    let present = feature;
    let isGap = given.depth <= 0.0;
    if (needsWhole) {
      candidate = CastTo(true, to.normal, to.clearance, wholeOf(pair));
    } else if (now == FACES && !part.isSolid) {
      candidate = triangleCandidate(pair, part, reach);
      phase = EDGES;
    } else if (now == FACES) {
      if (number == 0u) {
        open = nextFace(pair, part, open, isGap, reach);
        if (open.face == NO_FACE || !(isGap || isBetter(open.clearance, to))) {
          phase = EDGES;
          continue;
        }
      }
      candidate = CastTo(true, normalOfFace(part, open.face), open.clearance, polygonOf(part, open.face, number));
      number = select(number + 1u, 0u, number + 1u >= polygonCount(part, open.face));
    } else if (HAS_SOLIDS && now == WAYS_OUT) {
      if (present >= wayOutCount(part)) {
        break;
      }
      candidate = wayOut(pair, part, present, reach, mostWay(to));
      feature++;
    } else {
      let isOpen = to.kind == PROPOSAL_NONE || to.clearance > given.depth * (1.0 + SAME_WAY);
      // Edges are all tried or none.
      let isDecided = search == SEARCH_WAYS_OUT || (!isOpen && (now == CORNERS || (present == 0u && number == 0u)));
      if (isGap || isDecided || (now == CORNERS && present >= part.cornerCount)) {
        to = settled(to);
        if (isGap || !part.isSolid || search == SEARCH_OWN) {
          break;
        }
        isOnlyWay = to.kind == PROPOSAL_NONE;
        phase = WAYS_OUT;
        feature = 0u;
        continue;
      }
      let isEdge = now == EDGES;
      let tried = triedArc(pair, shapeB, part, isEdge, present, number, &ofCorner);
      candidate = tried.candidate;
      number++;
      if (tried.isLast) {
        number = 0u;
        feature++;
      }
      if (isEdge && feature >= part.edgeCount) {
        phase = CORNERS;
        feature = 0u;
      }
      candidate.isThere &= isBetter(candidate.clearance, to);
    }
    if (!candidate.isThere) {
      continue;
    }
    // Cleared here, so that no registers hold it during the cast.
    ofCorner = VertexNormal();
    let castMargin = select(0.0, margin, now == FACES);
    let exit = exitOf(pair, candidate.feature, candidate.normal, candidate.clearance, castMargin, reach);
    if (needsWhole) {
      needsWhole = false;
      // A cast that only grazes the part finds nothing.
      to.travel = select(to.exit, min(exit.distance, candidate.clearance), exit.isPassed);
    } else if (now == FACES && !part.isSolid) {
      to = withTriangle(to, pair, part, candidate, exit, margin);
    } else if (now == FACES && isGap) {
      to = withGap(to, candidate, exit, margin);
    } else if (now == WAYS_OUT) {
      to = withWayOut(to, part, candidate, exit, isOnlyWay);
    } else {
      let isBeyond = exit.isPassed && exit.distance > 0.0;
      let isPassed = isBeyond && (now != EDGES || isEdgeNormal(part, present, candidate.normal, exit.point));
      let isTaken = isPassed && isTakenFrom(candidate, exit, to);
      to = withFeature(to, PROPOSAL_FACE + now, candidate, exit, isPassed, isTaken);
      // What leaves the feature last of all has left the part.
      needsWhole = isTaken && to.exit < to.clearance * (1.0 - SAME_WAY);
    }
  }
  return to;
}

// A proposal at the end of the search. Without one, or if the body only touches, other parts have the contact.
fn settled(proposal: Proposal) -> Proposal {
  var to = proposal;
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

// The part itself.
fn wholeOf(pair: Pair) -> Feature {
  return Feature(pair.coreA, UNTURNED, vec3f(0.0));
}

// The triangle's own normal, on the side with less of the body behind it.
fn triangleCandidate(pair: Pair, part: SurfacePart, reach: f32) -> CastTo {
  let n = normalOfFace(part, 0u);
  let plane = dot(cornerAt(part, 0u), n);
  let below = plane - dot(lowestOfB(pair, n), n);
  let above = dot(lowestOfB(pair, -n), n) - plane;
  // Without regard to the order of corners.
  let isNegative = n.x < 0.0 || (n.x == 0.0 && (n.y < 0.0 || (n.y == 0.0 && n.z < 0.0)));
  let isTie = abs(below - above) <= SAME_WAY * reach;
  let isFlipped = !part.isFront && select(below > above, isNegative, isTie);
  return CastTo(true, select(n, -n, isFlipped), select(below, above, isFlipped), wholeOf(pair));
}

// `to` with the triangle's own normal, if the body is over the triangle.
fn withTriangle(
  given: Proposal, pair: Pair, part: SurfacePart, candidate: CastTo, exit: Exit, margin: f32
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
    to.fullPoint = lowestOfB(pair, candidate.normal) + candidate.normal * clearance;
    let centroid = (cornerAt(part, 0u) + cornerAt(part, 1u) + cornerAt(part, 2u)) / 3.0;
    to.full = select(0.0, clearance, heightOfFace(part, 0u) - length(to.fullPoint - centroid) >= clearance);
  }
  return to;
}

// The open face of a solid that comes after another one by clearance: of those that the body is behind, or in front of
// with `isGap`.
fn nextFace(pair: Pair, part: SurfacePart, after: FaceOfSolid, isGap: bool, reach: f32) -> FaceOfSolid {
  var next = FaceOfSolid(NO_FACE, 1e30);
  for (var face = 0u; face < part.faceCount; face++) {
    if (polygonCount(part, face) == 0u) {
      continue;
    }
    let n = normalOfFace(part, face);
    let clearance = heightOfFace(part, face) - dot(lowestOfB(pair, n), n);
    let isMeant = select(clearance > 0.0, clearance <= SAME_WAY * reach, isGap);
    let isLater = clearance > after.clearance || (clearance == after.clearance && face > after.face);
    if (isMeant && isLater && clearance < next.clearance) {
      next = FaceOfSolid(face, clearance);
    }
  }
  return next;
}

// An open polygon of a solid's face.
fn polygonOf(part: SurfacePart, face: u32, number: u32) -> Feature {
  return Feature(coreOfPolygon(openPolygon(part, face, number), part.scale), UNTURNED, vec3f(0.0));
}

fn hasOpenFace(part: SurfacePart) -> bool {
  for (var face = 0u; face < part.faceCount; face++) {
    if (polygonCount(part, face) > 0u) {
      return true;
    }
  }
  return false;
}

// The most that a way out may be long which takes the place of a proposal.
fn mostWay(to: Proposal) -> f32 {
  if (to.kind == PROPOSAL_NONE) {
    return 1e30;
  }
  return select(to.clearance, to.exit, to.kind < PROPOSAL_BURIED) * (1.0 - SAME_WAY);
}

// `to` with a way out through a face. Beside another proposal, the body has to leave the face last of all.
fn withWayOut(given: Proposal, part: SurfacePart, candidate: CastTo, exit: Exit, isOnlyWay: bool) -> Proposal {
  var to = given;
  let isLast = exit.distance >= candidate.clearance * (1.0 - LEAVES_LAST);
  if (!exit.isPassed || exit.distance <= 0.0 || !(isOnlyWay || isLast)) {
    return to;
  }
  to.kind = select(PROPOSAL_BURIED, PROPOSAL_LAST, isOnlyWay && hasOpenFace(part));
  to.normal = candidate.normal;
  to.clearance = candidate.clearance;
  to.exit = min(exit.distance, candidate.clearance);
  to.travel = to.exit;
  to.point = exit.point;
  // Beside other contacts, one that only has a way out keeps the other plane.
  to.otherClearance = select(0.0, to.otherClearance, to.kind == PROPOSAL_LAST);
  return to;
}

// `to` with the normal of an open face that has the body in front, if the gap along it is the least so far.
fn withGap(given: Proposal, candidate: CastTo, exit: Exit, margin: f32) -> Proposal {
  var to = given;
  if (!exit.isPassed || exit.distance <= -margin || (to.kind != PROPOSAL_NONE && exit.distance <= to.exit)) {
    return to;
  }
  to.kind = PROPOSAL_FACE;
  to.normal = candidate.normal;
  to.clearance = candidate.clearance;
  to.exit = exit.distance;
  to.travel = exit.distance;
  to.point = exit.point;
  return to;
}

// Whether a candidate that is better, or as good, takes the place of what is proposed so far.
fn isTakenFrom(candidate: CastTo, exit: Exit, than: Proposal) -> bool {
  let isTie = than.kind != PROPOSAL_NONE && candidate.clearance >= than.clearance * (1.0 - SAME_WAY) - than.slack;
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
