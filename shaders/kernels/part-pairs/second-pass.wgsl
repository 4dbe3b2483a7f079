// The second pass over contacts with a surface: the contacts of one convex body with all parts that it hits.
// src/parts/surface/second-pass.ts draws it, and does the same in double precision.

import package::kernels::part-pairs::proposal-records::{
  Corners, Segment, cornerOf, cornersOf, depthOf, directionInCorners, exitDepth, isOfGroup, kindOf, normalOf, partOf,
  placeInCorners, pointOf, proposals, NO_LIMIT
};
import package::part-pairs::surface::proposals::{
  NORMAL_ERROR, PROPOSAL_BURIED, PROPOSAL_EXACT, PROPOSAL_NONE, PROPOSAL_PLAIN, PROPOSAL_ROWS
};

// A contact that is deeper than the least clearance by more than this share is dropped.
const MOST_EXCESS: f32 = 0.05;
// Cosine of the angle from which a contact is aside of another: 25 degrees.
const ASIDE: f32 = 0.906307787;
// The same from which it opposes another: 100 degrees.
const OPPOSED: f32 = -0.173648178;
// Depths that differ by this share of the greatest are the same.
const SAME_DEPTH: f32 = 1e-6;
// Parts are behind a plane if they are over it by no more than this many times the weld tolerance.
const BEHIND: f32 = 4.0;

// Writes the least clearance of other contacts that clear a proposal's part, and whether the proposal is dropped.
fn compareContact(parts: Segment, at: u32) {
  let row = PROPOSAL_ROWS * at;
  let kind = kindOf(at);
  if (kind >= PROPOSAL_PLAIN) {
    return;
  }
  let part = partOf(at);
  let depths = proposals[row + 3u];
  let exit = exitDepth(at);
  let corners = cornersOf(at);
  let slack = depths.w;
  let tolerance = toleranceOf(at);
  var deepest = 0.0;
  for (var other = parts.first; other < parts.end; other++) {
    if (isOfGroup(other, part)) {
      deepest = max(deepest, depthOf(other));
    }
  }
  let same = SAME_DEPTH * deepest + slack;
  var least = NO_LIMIT;
  var isDropped = kind >= PROPOSAL_NONE;
  let normal = normalOf(at);
  let isKernels = kind <= PROPOSAL_EXACT;
  for (var other = parts.first; other < parts.end; other++) {
    let areCompared = kind < PROPOSAL_NONE && depths.x > 0.0 && other != at;
    // Parts that are apart clear none.
    if (!areCompared || !isOfGroup(other, part) || depthOf(other) <= 0.0) {
      continue;
    }
    let source = PROPOSAL_ROWS * other;
    let otherKind = kindOf(other);
    // The plane of its feature, and the other plane.
    for (var i = 0u; i < 2u; i++) {
      let vector = proposals[source + 2u * i];
      let clearance = select(vector.w, proposals[source + 3u].y, i == 0u);
      let isKernelsPlane = i == 0u && otherKind <= PROPOSAL_EXACT;
      if (!(clearance > 0.0) || (i == 0u && otherKind >= PROPOSAL_NONE)) {
        continue;
      }
      let cosine = dot(normal, vector.xyz);
      let mayDrop = !isKernels && !isDropped;
      let isAside = mayDrop && (isKernelsPlane || clearance < exit - same) && cosine < ASIDE;
      let isOpposed = mayDrop && i == 0u && exitDepth(other) > exit + same && cosine < OPPOSED;
      let isLeast = clearance < select(least, min(least, exit), isKernels);
      if (!(isLeast || isAside || isOpposed) ||
          !isBehind(corners, tolerance, planeOf(other, vector.xyz, i == 0u), isKernelsPlane)) {
        continue;
      }
      least = min(least, clearance);
      isDropped |= isAside ||
          (isOpposed && !isBehind(cornersOf(other), toleranceOf(other), planeOf(at, normal, true), false));
    }
  }
  let most = min(least, depths.z);
  isDropped |= !isKernels && exit > most + MOST_EXCESS * abs(most) + same;
  proposals[row + 6u].w = least;
  proposals[row + 7u].w = select(0.0, 1.0, isDropped);
}

// By how much the corners of a proposal's part may be over a plane that they are behind.
fn toleranceOf(at: u32) -> f32 {
  let row = PROPOSAL_ROWS * at;
  return BEHIND * proposals[row + 5u].w + proposals[row + 3u].w;
}

struct Plane {
  normal: vec3f,
  height: f32,
  // Where the contact is.
  point: vec3f,
}

// The plane of a proposal with this normal: through the highest corner of its part; for a way out, which may be through
// the face of another part, through the point on that face.
fn planeOf(at: u32, normal: vec3f, isOfFeature: bool) -> Plane {
  let point = pointOf(at);
  if (isOfFeature && kindOf(at) == PROPOSAL_BURIED) {
    return Plane(normal, dot(point, normal), point);
  }
  return Plane(normal, heightOf(at, normal), point);
}

// Whether corners are behind a plane.
fn isBehind(corners: Corners, tolerance: f32, plane: Plane, isKernels: bool) -> bool {
  let height = plane.height - dot(corners.origin, plane.normal);
  let direction = directionInCorners(corners, plane.normal);
  let place = placeInCorners(corners, plane.point);
  for (var i = 0u; i < corners.count; i++) {
    let corner = cornerOf(corners, i);
    let over = dot(corner, direction) - height;
    // The error of a kernel's normal lifts parts that are far from the point of contact.
    let lift = NORMAL_ERROR * corners.scale * length(corner - place);
    if (over > tolerance + select(0.0, lift, isKernels)) {
      return false;
    }
  }
  return corners.count > 0u;
}

// How high the part of a proposal reaches along a normal. Of a part that no plane clears, where its contact is.
fn heightOf(at: u32, normal: vec3f) -> f32 {
  let corners = cornersOf(at);
  if (corners.count == 0u) {
    return dot(pointOf(at), normal);
  }
  let direction = directionInCorners(corners, normal);
  var highest = -NO_LIMIT;
  for (var i = 0u; i < corners.count; i++) {
    highest = max(highest, dot(cornerOf(corners, i), direction));
  }
  return highest + dot(corners.origin, normal);
}
