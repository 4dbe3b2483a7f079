// The normal of an impact in 2-D.
//
// As shaders/impact-normal.wgsl: of all normals that separate the bodies to within the touch tolerance, the one along
// which they close in the slowest. Candidates are the normals of edges of either body, which are exact, those that the
// search itself found, and last the one perpendicular to the motion.

import package::shared::constants::{
  MOTION_LEAST_CLOSING_ULPS, MOTION_LEAST_VECTOR, MOTION_OPPOSITE, MOTION_SHALLOW, MOTION_TOUCH_ULPS
};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, rotate, rotateBack};
import package::planar::pair::{PlanarPair, toWorld};
import package::planar::shapes::{PlanarCore};
import package::planar::support::{corner, cornerAfter, cornerBefore, differenceSupport, edgeCount};

// The result of a search for cores that touch.
struct Touch {
  // Unit vector from A to B that separates them, to what the search found.
  normal: vec2f,
  // Unit vector from A's point to B's, and their distance.
  direction: vec2f,
  distance: f32,
  // Their points, in A's frame.
  onA: vec2f,
  onB: vec2f,
  // A corner on each that is next to its point.
  id: vec2u,
}

struct ImpactNormal {
  normal: vec2f,
  // The rate at which B closes in along it, per length of its translation.
  closing: f32,
  // Whether the bodies overlap along it by no more than the touch tolerance.
  isPassing: bool,
}

const PLANAR_OWN_CANDIDATES: u32 = 2u;
// Faster than anything closes in.
const PLANAR_NO_CLOSING: f32 = 2.0;
const PLANAR_IMPACT_NORMAL_BIAS_ULPS: f32 = 16.0;
// Whose edge a normal is of.
const PLANAR_OWNER_NONE: u32 = 0u;
const PLANAR_OWNER_A: u32 = 1u;
const PLANAR_OWNER_B: u32 = 2u;

// Chooses, of the normals that separate the cores by `targetDistance` to within `touchTolerance`, the one along which
// B, moving along `direction`, closes in the slowest. `rest`: how far B moves from here. `isAhead`: the bodies were
// apart before.
fn impactNormal(
  pair: PlanarPair, direction: vec2f, rest: f32, targetDistance: f32, touchTolerance: f32, found: Touch, isAhead: bool
) -> ImpactNormal {
  var best = ImpactNormal(found.normal, PLANAR_NO_CLOSING, false);
  let edgesA = edgesNear(pair.coreA, found.onA, found.id.x, 2.0 * touchTolerance);
  let edgesB = edgesNear(
    pair.coreB, rotateBack(pair.rotation, found.onB - pair.translation), found.id.y, 2.0 * touchTolerance
  );
  let shallow = MOTION_SHALLOW * touchTolerance;
  let directionInWorld = toWorld(pair, direction);
  let firstOfB = PLANAR_OWN_CANDIDATES + edgesA.count;
  var number = edgesA.first;
  var bestOwner = PLANAR_OWNER_NONE;
  let last = firstOfB + edgesB.count;
  // A segment that a point crosses is apart from it along itself.
  let isFlat = targetDistance <= touchTolerance && edgeCount(pair.coreA) <= 2u && edgeCount(pair.coreB) <= 2u;
  let hasPoint = edgeCount(pair.coreA) == 0u || edgeCount(pair.coreB) == 0u;
  for (var i = 0u; i <= last; i++) {
    var owner = PLANAR_OWNER_NONE;
    var candidate = found.normal;
    if (i == 1u) {
      // The direction of a short vector is mostly rounding.
      if (found.distance < MOTION_LEAST_VECTOR) {
        continue;
      }
      candidate = found.direction;
    } else if (i == last) {
      // A ray or ball that only touches a round body has no candidate of its own that is exactly across its way. Others
      // are held up by what they slide over.
      if (isFlat || !hasPoint || best.closing <= 0.0) {
        continue;
      }
      owner = bestOwner;
      candidate = vec2f(-direction.y, direction.x) * select(-1.0, 1.0, cross2(direction, best.normal) > 0.0);
    } else if (i >= firstOfB) {
      owner = PLANAR_OWNER_B;
      number = select(cornerAfter(pair.coreB, number), edgesB.first, i == firstOfB);
      candidate = -rotate(pair.rotation, corner(pair.coreB, number).normal);
    } else if (i >= PLANAR_OWN_CANDIDATES) {
      owner = PLANAR_OWNER_A;
      number = select(cornerAfter(pair.coreA, number), edgesA.first, i == PLANAR_OWN_CANDIDATES);
      candidate = corner(pair.coreA, number).normal;
    }
    let closing = select(-dot(candidate, direction), 0.0, i == last);
    // Sides of both bodies that lie on each other to within the tolerance count as one. A body that slides along its
    // own side may sink into the other side, which may be one of many in a line. It would sink into each by too little
    // to notice, until it met one from the side.
    let isSame = owner == PLANAR_OWNER_B && bestOwner == PLANAR_OWNER_A && dot(candidate, best.normal) > 0.0 &&
        abs(cross2(candidate, best.normal)) <= shallow;
    // Normals of edges are exact. Others have to be slower by more than their rounding.
    let bias = select(
      0.0, PLANAR_IMPACT_NORMAL_BIAS_ULPS * EPSILON, owner != PLANAR_OWNER_NONE && bestOwner == PLANAR_OWNER_NONE
    );
    let isSlower = closing < best.closing + bias;
    if (!isSlower && !(isSame && best.isPassing)) {
      continue;
    }
    let depth = targetDistance - dot(candidate, differenceSupport(pair, -candidate).position);
    if (depth > touchTolerance) {
      continue;
    }
    // Bodies that pass through something thinner than the tolerance are apart along the normal of its far side, too,
    // and yet they meet.
    if (isAhead && closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON && dot(candidate, found.normal) < MOTION_OPPOSITE) {
      continue;
    }
    // Half the tolerance is left for the next body in a line, which has its own rounding. Bodies that close in by no
    // more than the rounding of velocities may use all of it.
    let share = abs(toWorld(pair, candidate) * directionInWorld);
    let allowed = select(
      0.5 * touchTolerance, touchTolerance, closing <= (share.x + share.y) * touchTolerance / MOTION_TOUCH_ULPS
    );
    let isPassing = closing <= 0.0 || (closing <= shallow && depth + closing * rest <= allowed);
    if (isSame && ((isPassing && !best.isPassing) || (isPassing == best.isPassing && !isSlower))) {
      continue;
    }
    best = ImpactNormal(candidate, closing, isPassing);
    bestOwner = owner;
  }
  if (best.closing == PLANAR_NO_CLOSING) {
    best.closing = -dot(best.normal, direction);
    best.isPassing = best.closing <= 0.0;
  }
  return best;
}

// Edges one after the other, by number.
struct EdgeRange {
  first: u32,
  count: u32,
}

// The edges of which a point of the core's boundary is at most `most` inside. They are searched in both directions from
// a corner next to the point, as their distances grow from there.
fn edgesNear(core: PlanarCore, point: vec2f, start: u32, most: f32) -> EdgeRange {
  let all = edgeCount(core);
  var near = EdgeRange(start, 0u);
  var next = start;
  for (var isBack = 0u; isBack < 2u && near.count < all; ) {
    let edge = corner(core, next);
    if (dot(edge.normal, edge.position - point) <= most) {
      near.count += 1u;
      if (isBack == 1u) {
        near.first = next;
        next = cornerBefore(core, next);
      } else {
        next = cornerAfter(core, next);
      }
    } else {
      isBack += 1u;
      next = cornerBefore(core, start);
    }
  }
  return near;
}
