// The first pass over contacts with a 2-D surface: a part of it and a convex body by themselves.
// src/parts/planar/planar-first-pass.ts says what is proposed, and does the same in double precision.

import package::part-pairs::surface::proposals::{
  PROPOSAL_FACE, PROPOSAL_LAST, PROPOSAL_NONE, PROPOSAL_VERTEX
};
import package::planar::math::{cross2, rightOf};
import package::planar::pair::{PlanarPair};
import package::planar::support::{cornerAfter, cornerB, cornerCount};
import package::planar::surface::accepted-normal::{isBehindSegment};
import package::planar::surface::exits::{PlanarExit, exitOfSegment, farthestOfB, NO_EXIT};
import package::planar::surface::rows::{
  PlanarFace, PlanarPart, PLANAR_WAY_ROWS, coneRow, facePiece, isSegment, partCorner, partFace
};
import package::shared::geometry::{geometryPlane};
import package::shared::math::{EPSILON};

// Clearances that differ by less than this share are as good.
const PLANAR_SAME_WAY: f32 = 4e-6;

// Bodies that overlap by less than the first number of ULPS, along a normal with more than the second, only touch.
const PLANAR_TOUCHING_ULPS: f32 = 4.0;
const PLANAR_NOT_TOUCHING_ULPS: f32 = 64.0;

// A contact of the part, A, and the convex body, B: in A's frame, about the part's middle, in the pair's unit. Depths
// are positive, gaps negative.
struct PlanarProposal {
  kind: u32,
  // From the part to the body.
  normal: vec2f,
  // On the part, where the body leaves the feature.
  point: vec2f,
  depth: f32,
  clearance: f32,
  exit: f32,
  travel: f32,
  otherNormal: vec2f,
  otherClearance: f32,
  full: f32,
  fullPoint: vec2f,
}

// A normal to try, how far the body moves along it until it is beyond the feature's plane, and where it leaves the
// feature.
struct PlanarCandidate {
  kind: u32,
  normal: vec2f,
  clearance: f32,
  isPassed: bool,
  exit: PlanarExit,
}

// What takes the place of a contact that is not accepted. `given`: the contact as it is. `margin`: in the pair's unit.
fn proposalFor(pair: PlanarPair, part: PlanarPart, given: PlanarProposal, margin: f32, reach: f32) -> PlanarProposal {
  var to = given;
  to.kind = PROPOSAL_NONE;
  let hasDepth = given.depth > 0.0;
  for (var i = 0u; i < select(part.count, 1u, isSegment(part)); i++) {
    var number = i;
    var face = partFace(part, i);
    var clearance = face.height + dot(farthestOfB(pair, -face.normal), -face.normal);
    if (isSegment(part)) {
      // The side with less of the body behind it.
      let above = dot(farthestOfB(pair, face.normal), face.normal) - face.height;
      let isTie = abs(clearance - above) <= PLANAR_SAME_WAY * reach;
      let isNegative = face.normal.x < 0.0 || (face.normal.x == 0.0 && face.normal.y < 0.0);
      if (!part.surface.isFront && select(clearance > above, isNegative, isTie)) {
        number = 1u;
        face = partFace(part, 1u);
        clearance = above;
      }
    } else if (face.pieceCount == 0u || clearance <= -margin || !isBetterThan(to, clearance)) {
      continue;
    }
    to = withFace(pair, part, face, clearance, margin, reach, to);
  }
  let isOpen = to.kind == PROPOSAL_NONE || to.clearance > given.depth * (1.0 + PLANAR_SAME_WAY);
  for (var corner = 0u; corner < select(0u, part.count, hasDepth && isOpen); corner++) {
    to = withCorner(pair, part, corner, reach, to);
  }
  let isTouching = to.depth <= PLANAR_TOUCHING_ULPS * EPSILON && to.exit > PLANAR_NOT_TOUCHING_ULPS * EPSILON;
  if (to.kind == PROPOSAL_NONE || isTouching) {
    to.kind = PROPOSAL_NONE;
    to.exit = to.depth;
    to.clearance = to.depth;
    to.travel = 1e30;
    to.full = 0.0;
    if (hasDepth && !part.surface.isChain) {
      to = withWayOut(pair, part, reach, to);
    }
  }
  return to;
}

fn isBetterThan(than: PlanarProposal, clearance: f32) -> bool {
  return than.kind == PROPOSAL_NONE || clearance < than.clearance * (1.0 + PLANAR_SAME_WAY);
}

// Whether a candidate that is better, or as good, takes the place of what is proposed so far.
fn isTakenFor(candidate: PlanarCandidate, than: PlanarProposal, reach: f32) -> bool {
  let isTie = than.kind != PROPOSAL_NONE &&
      candidate.clearance >= than.clearance * (1.0 - PLANAR_SAME_WAY) - PLANAR_SAME_WAY * reach;
  return candidate.isPassed && !(isTie && min(candidate.exit.distance, candidate.clearance) <= than.exit);
}

// `given` with a candidate that is taken; of a feature that is not passed, with its plane.
fn withCandidate(given: PlanarProposal, candidate: PlanarCandidate, isTaken: bool) -> PlanarProposal {
  var to = given;
  let isNearer = to.otherClearance == 0.0 || candidate.clearance < to.otherClearance;
  if (!candidate.isPassed && isNearer) {
    to.otherClearance = candidate.clearance;
    to.otherNormal = candidate.normal;
  }
  if (isTaken) {
    to.kind = candidate.kind;
    to.normal = candidate.normal;
    to.clearance = candidate.clearance;
    to.exit = min(candidate.exit.distance, candidate.clearance);
    to.travel = candidate.clearance;
    to.full = 0.0;
    to.point = candidate.exit.point;
  }
  return to;
}

// With a face's normal, and the exit from the face's pieces.
fn withFace(
  pair: PlanarPair, part: PlanarPart, face: PlanarFace, clearance: f32, margin: f32, reach: f32, given: PlanarProposal
) -> PlanarProposal {
  var exit = PlanarExit(NO_EXIT, vec2f(0.0));
  for (var i = 0u; i < face.pieceCount; i++) {
    let piece = facePiece(part, face, i);
    let found = exitOfSegment(pair, face.start + piece.x * face.along, face.start + piece.y * face.along, face.normal);
    if (found.distance > exit.distance) {
      exit = found;
    }
  }
  let hasDepth = given.depth > 0.0;
  // Apart, the gap over the face is the answer.
  let isPassed = exit.distance > select(-margin, 0.0, hasDepth);
  if (!isPassed && !(clearance > 0.0)) {
    return given;
  }
  let candidate = PlanarCandidate(PROPOSAL_FACE, face.normal, clearance, isPassed, exit);
  let isTaken = isTakenFor(candidate, given, reach);
  var to = withCandidate(given, candidate, isTaken);
  if (isTaken) {
    to.travel = min(exit.distance, clearance);
  }
  if (isTaken && hasDepth && exit.distance < clearance) {
    to.fullPoint = farthestOfB(pair, -face.normal) + face.normal * clearance;
    let place = dot(to.fullPoint - face.start, face.along);
    let isFlat = (place > face.length && place + clearance <= face.flatMost) ||
        (place < 0.0 && place - clearance >= face.flatLeast);
    to.full = select(0.0, clearance, isFlat);
  }
  return to;
}

// With the best normal of the arc at a corner.
fn withCorner(pair: PlanarPair, part: PlanarPart, number: u32, reach: f32, given: PlanarProposal) -> PlanarProposal {
  let arc = geometryPlane(coneRow(part, number));
  if (all(arc == vec4f(0.0))) {
    return given;
  }
  let place = partCorner(part, number);
  let best = leastOnPlanarArc(pair, arc, place);
  let normal = best.xy;
  if (best.z <= 0.0 || !isBetterThan(given, best.z) || isBehindSegment(part, normal)) {
    return given;
  }
  let exit = exitOfSegment(pair, place, place, normal);
  let candidate = PlanarCandidate(PROPOSAL_VERTEX, normal, best.z, exit.distance > 0.0, exit);
  let isTaken = isTakenFor(candidate, given, reach);
  var to = withCandidate(given, candidate, isTaken);
  if (isTaken) {
    var travel = NO_EXIT;
    for (var i = 0u; i < part.count; i++) {
      let face = partFace(part, i);
      travel = max(travel, exitOfSegment(pair, face.start, face.start + face.length * face.along, normal).distance);
    }
    to.travel = min(travel, best.z);
  }
  return to;
}

// The normal of an arc along which the body moves least to be beyond a corner, and how far. It is an end of the arc, or
// against a normal of the body, or along the line from the corner to the nearest corner of the body's core.
fn leastOnPlanarArc(pair: PlanarPair, arc: vec4f, place: vec2f) -> vec3f {
  let count = cornerCount(pair.coreB);
  var least = vec3f(arc.xy, 1e30);
  var nearest = vec2f(0.0);
  var begin = cornerB(pair, 0u);
  for (var i = 0u; i < count + 3u; i++) {
    var normal = select(arc.xy, arc.zw, i == 1u);
    var isThere = true;
    if (i >= 2u) {
      var away = nearest;
      if (i < count + 2u) {
        let end = cornerB(pair, cornerAfter(pair.coreB, i - 2u));
        let between = begin - place;
        if (i == 2u || dot(between, between) < dot(nearest, nearest)) {
          nearest = between;
        }
        away = -rightOf(end - begin);
        begin = end;
      }
      let size = length(away);
      normal = away / max(size, 1e-30);
      isThere = size > 0.0 && cross2(arc.xy, normal) >= 0.0 && cross2(normal, arc.zw) >= 0.0;
    }
    if (!isThere) {
      continue;
    }
    let clearance = dot(place - farthestOfB(pair, -normal), normal);
    if (clearance < least.z) {
      least = vec3f(normal, clearance);
    }
  }
  return least;
}

// With the nearest way out of a compound through any of its open faces, which the body need not touch.
fn withWayOut(pair: PlanarPair, part: PlanarPart, reach: f32, given: PlanarProposal) -> PlanarProposal {
  var to = given;
  for (var i = 0u; i < part.surface.wayCount; i++) {
    let row = part.surface.firstWay + PLANAR_WAY_ROWS * i;
    let plane = geometryPlane(row);
    let height = plane.z * part.scale - dot(pair.middleA, plane.xy);
    let clearance = height + dot(farthestOfB(pair, -plane.xy), -plane.xy);
    let isFirst = to.kind != PROPOSAL_LAST;
    if (clearance <= 0.0 || !(isFirst || clearance < to.clearance * (1.0 + PLANAR_SAME_WAY))) {
      continue;
    }
    let ends = geometryPlane(row + 1u) * part.scale - pair.middleA.xyxy;
    let exit = exitOfSegment(pair, ends.xy, ends.zw, plane.xy);
    // Of faces in one line, the one that the body leaves last.
    let isTie = !isFirst && clearance >= to.clearance * (1.0 - PLANAR_SAME_WAY) - PLANAR_SAME_WAY * reach;
    if (exit.distance > 0.0 && !(isTie && min(exit.distance, clearance) <= to.exit)) {
      to.kind = PROPOSAL_LAST;
      to.normal = plane.xy;
      to.clearance = clearance;
      to.exit = min(exit.distance, clearance);
      to.travel = to.exit;
      to.point = exit.point;
    }
  }
  return to;
}
