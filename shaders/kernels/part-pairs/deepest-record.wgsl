// The third pass over contacts with a surface: which of a convex body's contacts is its answer, after the second pass.
// src/parts/surface/deepest-record.ts does the same in double precision.

import package::kernels::part-pairs::proposal-records::{
  Segment, depthOf, exitDepth, isDropped, isLower, isOfGroup, kindOf, leastClearance, partOf, pointOf, proposals,
  NO_LIMIT
};
import package::kernels::part-pairs::second-pass::{SAME_DEPTH};
import package::part-pairs::surface::proposals::{
  PROPOSAL_BURIED, PROPOSAL_EXACT, PROPOSAL_KEPT, PROPOSAL_LAST, PROPOSAL_NONE, PROPOSAL_PLAIN, PROPOSAL_ROWS
};

// Contacts that are shallower than the deepest by no more than this share may be the answer, if no clearance
// contradicts them.
const LEAST_SHARE: f32 = 1e-3;
// Depths that differ by less than this share are ties.
const DEPTH_TIE: f32 = 1e-6;

// A pair of bodies whose contacts are compared with each other may have at most this many: the time grows with the
// square of their number.
const MOST_COMPARED: u32 = 16384u;

const NO_RECORD: u32 = 0xffffffffu;

// The contact of one convex body with all parts that it hits, or of two parts.
struct Answer {
  record: u32,
  // Signed.
  distance: f32,
  // Whether it is the kernel's contact, with its normal.
  isGiven: bool,
  // Otherwise its point on the surface.
  point: vec3f,
  // Depths that differ by less than this are the same.
  same: f32,
}

// The contact of a pair of parts as one of all those of its pair of bodies.
struct ListedContact {
  answer: Answer,
  // Whether it is a hit that no other one makes superfluous.
  isListed: bool,
}

fn listedContact(parts: Segment, at: u32) -> ListedContact {
  let own = Answer(at, -exitDepth(at), kindOf(at) == PROPOSAL_KEPT, pointOf(at), 0.0);
  if (kindOf(at) >= PROPOSAL_PLAIN) {
    return ListedContact(Answer(at, own.distance, true, own.point, 0.0), true);
  }
  let answer = answerOfGroup(parts, partOf(at));
  if (answer.record == at) {
    return ListedContact(answer, true);
  }
  // Proposed contacts that are deeper than the answer are left out. Those of kernels stay.
  let most = -answer.distance + answer.same;
  let isKernels = kindOf(at) <= PROPOSAL_EXACT;
  let isListed = !isDropped(at) && kindOf(at) != PROPOSAL_BURIED &&
      (isKernels || depthOf(at) <= 0.0 || exitDepth(at) <= most);
  return ListedContact(own, isListed);
}

fn answerOfGroup(parts: Segment, part: u32) -> Answer {
  // Of all; of those that overlap.
  var nearest = NO_RECORD;
  var deepest = 0.0;
  var hasUsable = false;
  var hasKept = false;
  var slack = 0.0;
  for (var at = parts.first; at < parts.end; at++) {
    if (!isOfGroup(at, part)) {
      continue;
    }
    if (nearest == NO_RECORD || isDeeper(at, nearest)) {
      nearest = at;
    }
    let depth = depthOf(at);
    deepest = max(deepest, depth);
    slack = max(slack, proposals[PROPOSAL_ROWS * at + 3u].w);
    hasUsable |= depth > 0.0 && kindOf(at) < PROPOSAL_NONE;
    hasKept |= depth > 0.0 && kindOf(at) < PROPOSAL_NONE && !isDropped(at);
  }
  let same = SAME_DEPTH * deepest + slack;
  let given = Answer(nearest, -depthOf(nearest), true, vec3f(0.0), same);
  if (deepest <= 0.0) {
    return nearestAnswer(parts, part, given);
  }
  if (!hasUsable) {
    if (kindOf(nearest) == PROPOSAL_LAST) {
      return Answer(nearest, -exitDepth(nearest), false, pointOf(nearest), same);
    }
    return given;
  }
  var most = -NO_LIMIT;
  for (var at = parts.first; at < parts.end; at++) {
    if (isInPool(at, part, hasKept)) {
      most = max(most, believed(at));
    }
  }
  // Bodies that barely overlap may be a little above the feature along its normal.
  let share = LEAST_SHARE * abs(most);
  var found = NO_RECORD;
  var shallow = NO_RECORD;
  var full = NO_RECORD;
  var fullest = max(most, 0.0) + same;
  for (var at = parts.first; at < parts.end; at++) {
    if (!isInPool(at, part, hasKept)) {
      continue;
    }
    if (exitDepth(at) <= wayOf(at) + same && (found == NO_RECORD || isTaken(at, found, 1.0))) {
      found = at;
    }
    if (believed(at) >= most - share && (shallow == NO_RECORD || isTaken(at, shallow, -1.0))) {
      shallow = at;
    }
    let ground = proposals[PROPOSAL_ROWS * at + 4u].w;
    var isFuller = ground > fullest;
    if (full != NO_RECORD && abs(ground - fullest) <= same) {
      isFuller = isLower(at, full);
    }
    if (isFuller && ground <= leastClearance(at) * (1.0 + LEAST_SHARE)) {
      fullest = ground;
      full = at;
    }
  }
  if (full != NO_RECORD) {
    return Answer(full, -fullest, false, proposals[PROPOSAL_ROWS * full + 4u].xyz, same);
  }
  if (found == NO_RECORD || exitDepth(found) < most - share) {
    found = shallow;
  }
  return Answer(
    found, -min(exitDepth(found), most + share), kindOf(found) == PROPOSAL_KEPT, pointOf(found), same
  );
}

// Of a part that is apart from all others: the nearest, and of several the accepted.
fn nearestAnswer(parts: Segment, part: u32, given: Answer) -> Answer {
  if (kindOf(given.record) <= PROPOSAL_EXACT) {
    return acceptedAnswer(given.record);
  }
  let source = PROPOSAL_ROWS * given.record;
  let least = depthOf(given.record) - proposals[source + 5u].w;
  var found = NO_RECORD;
  for (var at = parts.first; at < parts.end; at++) {
    let isAccepted = isOfGroup(at, part) && kindOf(at) <= PROPOSAL_EXACT && depthOf(at) >= least;
    if (isAccepted && (found == NO_RECORD || isLower(at, found))) {
      found = at;
    }
  }
  if (found == NO_RECORD) {
    return given;
  }
  return acceptedAnswer(found);
}

// A kernel's contact that was accepted, with the exact normal.
fn acceptedAnswer(at: u32) -> Answer {
  return Answer(at, -exitDepth(at), kindOf(at) == PROPOSAL_KEPT, pointOf(at), 0.0);
}

fn isInPool(at: u32, part: u32, hasKept: bool) -> bool {
  return isOfGroup(at, part) && depthOf(at) > 0.0 && kindOf(at) < PROPOSAL_NONE && !(hasKept && isDropped(at));
}

// How far the part moves at least to clear the surface's part, along an accepted normal.
fn wayOf(at: u32) -> f32 {
  return min(proposals[PROPOSAL_ROWS * at + 3u].z, leastClearance(at));
}

// What a contact's depth comes to if the least clearance of its part is believed.
fn believed(at: u32) -> f32 {
  return min(exitDepth(at), wayOf(at));
}

fn isDeeper(at: u32, than: u32) -> bool {
  let difference = depthOf(at) - depthOf(than);
  return difference > 0.0 || (difference == 0.0 && isLower(at, than));
}

// Whether a contact is deeper than another, or with `sign` -1 shallower; of ties, the kernel's first, then the lowest
// part.
fn isTaken(at: u32, than: u32, sign: f32) -> bool {
  let difference = exitDepth(at) - exitDepth(than);
  if (abs(difference) > DEPTH_TIE * abs(exitDepth(than))) {
    return sign * difference > 0.0;
  }
  let isKernels = kindOf(at) <= PROPOSAL_EXACT;
  if (isKernels != (kindOf(than) <= PROPOSAL_EXACT)) {
    return isKernels;
  }
  return isLower(at, than);
}
