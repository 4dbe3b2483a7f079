// The contact of each pair of bodies: the deepest of its pairs of parts. With a surface, the second and the third pass
// over what these propose (src/parts/surface/second-pass.ts and deepest-record.ts have the same in double
// precision). A workgroup takes a pair of bodies.

@kernel(deepest)
@kernel(planar-deepest)

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{beyondMargin, firstParts, parameters};
import package::kernels::part-pairs::deepest-record::{Answer, answerOfGroup, listedContact, MOST_COMPARED, NO_RECORD};
import package::kernels::part-pairs::proposal-records::{
  Segment, isLower, isOfGroup, isSurfaceFirst, kindOf, normalOf, partOf, partPairs, NO_LIMIT
};
import package::kernels::part-pairs::second-pass::{compareContact};
import package::part-pairs::surface::proposals::{PROPOSAL_EXACT, PROPOSAL_PLAIN};
import package::shared::results::{
  infoStatus, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT, STATUS_NOT_CONVERGED, STATUS_SEPARATED
};
@if(deepest) import package::kernels::part-pairs::chosen-contacts::{
  ChosenContact, distanceOfParts, infoOfParts, storeChosen, storeNoContact, unlist
};
@if(planar-deepest) import package::kernels::planar::chosen-contacts::{
  ChosenContact, distanceOfParts, infoOfParts, storeChosen, storeNoContact, unlist
};

// The pair of parts that each contact is of.
@group(0) @binding(6) var<storage, read_write> chosenParts: array<vec4u>;
// With LISTS_PARTS: the pair of bodies of each of these.
@group(0) @binding(7) var<storage, read_write> pairOfParts: array<u32>;

// Whether all contacts of pairs of parts are kept, in ascending order of the parts, in place of the deepest one: those
// that are hits, and that no other one makes superfluous.
override LISTS_PARTS: bool = false;

// Bits of `statuses`.
const IS_INVALID: u32 = 1u;
const HAS_SURFACE: u32 = 2u;
const IS_ANSWERED: u32 = 4u;

// The best answer of each invocation.
var<workgroup> distances: array<f32, 64>;
var<workgroup> chosen: array<u32, 64>;
var<workgroup> statuses: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let end = min(parameters.pairCount, parameters.pairCapacity);
  for (var pair = workgroupId.x; pair < end; pair += workgroups.x) {
    decide(pair, localIndex);
  }
}

// All invocations of the workgroup call it.
fn decide(pair: u32, lane: u32) {
  let first = firstParts[pair];
  let end = firstParts[pair + 1u];
  let hasRoom = end <= parameters.partPairCapacity;
  if (lane == 0u) {
    atomicStore(&statuses, 0u);
  }
  workgroupBarrier();
  for (var at = first + lane; at < select(first, end, hasRoom); at += 64u) {
    if (kindOf(at) < PROPOSAL_PLAIN) {
      atomicOr(&statuses, HAS_SURFACE);
    }
  }
  workgroupBarrier();
  let areCompared = LISTS_PARTS || (atomicLoad(&statuses) & HAS_SURFACE) != 0u;
  let isKept = hasRoom && !(areCompared && end - first > MOST_COMPARED);
  let parts = Segment(first, select(first, end, isKept));
  for (var at = parts.first + lane; at < parts.end; at += 64u) {
    compareContact(parts, at);
  }
  storageBarrier();
  workgroupBarrier();
  if (LISTS_PARTS) {
    for (var at = parts.first + lane; at < parts.end; at += 64u) {
      storeListed(pair, parts, at);
    }
    for (var at = parts.end + lane; at < select(parts.end, end, hasRoom); at += 64u) {
      // Those that are not compared.
      storeNone(at, STATUS_CAPACITY_EXCEEDED);
    }
    return;
  }
  var best = noAnswer();
  for (var at = parts.first + lane; at < parts.end; at += 64u) {
    let answer = answerOf(parts, at);
    if (comesFirst(answer, best)) {
      best = answer;
    }
    if (infoStatus(infoOfParts(at)) == STATUS_INVALID_INPUT) {
      atomicOr(&statuses, IS_INVALID);
    }
  }
  distances[lane] = best.distance;
  chosen[lane] = best.record;
  workgroupBarrier();
  let isInvalid = (atomicLoad(&statuses) & IS_INVALID) != 0u;
  for (var other = 0u; other < 64u; other++) {
    if (other != lane && comesFirst(Answer(chosen[other], distances[other], true, vec3f(0.0), 0.0), best)) {
      best.record = NO_RECORD;
      break;
    }
  }
  if (best.record != NO_RECORD && !isInvalid) {
    storeContact(pair, best);
    atomicOr(&statuses, IS_ANSWERED);
  }
  workgroupBarrier();
  if (lane == 0u && (atomicLoad(&statuses) & IS_ANSWERED) == 0u) {
    // The places of pairs at MOST_SUM and beyond are all MOST_SUM: pairs of bodies there may have pairs of parts.
    let isNone = first == end && end != MOST_SUM;
    var known = select(STATUS_NOT_CONVERGED, STATUS_SEPARATED, isNone);
    known = select(known, STATUS_INVALID_INPUT, isInvalid);
    storeNone(pair, select(STATUS_CAPACITY_EXCEEDED, known, isKept || isNone));
  }
  workgroupBarrier();
}

fn noAnswer() -> Answer {
  return Answer(NO_RECORD, NO_LIMIT, true, vec3f(0.0), 0.0);
}

// The nearest or deepest first, then the lowest parts.
fn comesFirst(answer: Answer, than: Answer) -> bool {
  if (answer.record == NO_RECORD || than.record == NO_RECORD) {
    return than.record == NO_RECORD && answer.record != NO_RECORD;
  }
  if (answer.distance != than.distance) {
    return answer.distance < than.distance;
  }
  return isLower(answer.record, than.record);
}

// The answer that the invocation of a pair of parts finds: its own, or that of its convex part with all it hits,
// if it is the first of these. Otherwise none.
fn answerOf(parts: Segment, at: u32) -> Answer {
  let none = noAnswer();
  let kind = kindOf(at);
  if (kind >= PROPOSAL_PLAIN) {
    return Answer(at, distanceOfParts(at), true, vec3f(0.0), 0.0);
  }
  let part = partOf(at);
  for (var other = parts.first; other < at; other++) {
    if (isOfGroup(other, part)) {
      return none;
    }
  }
  return answerOfGroup(Segment(at, parts.end), part);
}

// Stores the contact of a pair of parts in its place among those of its pair of bodies.
fn storeListed(pair: u32, parts: Segment, at: u32) {
  var place = parts.first;
  for (var other = parts.first; other < parts.end; other++) {
    place += u32(isLower(other, at));
  }
  let listed = listedContact(parts, at);
  storeContact(place, listed.answer);
  pairOfParts[place] = pair;
  if (!listed.isListed) {
    unlist(place);
  }
}

fn storeContact(pair: u32, answer: Answer) {
  var contact = ChosenContact(answer.isGiven, false, vec3f(0.0), vec3f(0.0), answer.distance);
  if (!answer.isGiven) {
    let isFirst = isSurfaceFirst(answer.record);
    let normal = select(-1.0, 1.0, isFirst) * normalOf(answer.record);
    let onA = select(answer.point - normal * answer.distance, answer.point, isFirst);
    contact = ChosenContact(false, kindOf(answer.record) > PROPOSAL_EXACT, normal, onA, answer.distance);
  }
  storeChosen(pair, answer.record, contact);
  chosenParts[pair] = partPairs[answer.record];
}

// The record of a pair without a pair of parts, or with one that is invalid. A pair whose parts are all farther apart
// than the margin has a bound above it.
fn storeNone(pair: u32, status: u32) {
  storeNoContact(pair, status, select(0.0, beyondMargin(), status == STATUS_SEPARATED));
  chosenParts[pair] = vec4u(0xffffffffu);
}
