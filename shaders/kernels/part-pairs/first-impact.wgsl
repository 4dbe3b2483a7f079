// The impact of each pair of bodies: the first of its pairs of parts. With surfaces, bodies that overlap at the start
// are decided by their contacts there, after the second pass over these (src/parts/first-impact.ts does the same in
// double precision). A workgroup takes a pair of bodies.

@kernel(first-impact)
@kernel(planar-first-impact)

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{firstParts, parameters};
import package::kernels::part-pairs::deepest-record::{Answer, answerOfGroup, listedContact, MOST_COMPARED, NO_RECORD};
import package::kernels::part-pairs::proposal-records::{
  Segment, isLower, isOfFace, isOfGroup, isSurfaceFirst, kindOf, normalOf, partOf, partPairs
};
import package::kernels::part-pairs::second-pass::{compareContact};
import package::part-pairs::surface::impact-flags::{
  INFO_APPROACHES, INFO_OVERLAPS, INFO_STANDS, INFO_TURNS, approaches
};
import package::part-pairs::surface::proposals::{PROPOSAL_EXACT, PROPOSAL_KEPT, PROPOSAL_PLAIN};
import package::queries::impacts::times::{timeOfWord, INFINITY_BITS, NEVER, PASSES_PARTING, SIGN_BIT};
import package::shared::results::{
  infoStatus, INFO_HIT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT, STATUS_SEPARATED
};
@if(first-impact) import package::kernels::part-pairs::chosen-impacts::{
  infoOfParts, normalAtStart, pointAtStart, storeChosen, storeNoImpact, storeOverlap, velocityBetween, wordOfTime
};
@if(planar-first-impact) import package::kernels::planar::chosen-impacts::{
  infoOfParts, normalAtStart, pointAtStart, storeChosen, storeNoImpact, storeOverlap, velocityBetween, wordOfTime
};

// Whether surfaces may decide.
override HAS_SURFACES: bool = false;

// Bits of `statuses`.
const IS_INVALID: u32 = 1u;
const OVERLAPS: u32 = 2u;
const STANDS: u32 = 4u;

// The best of each invocation.
var<workgroup> keys: array<f32, 64>;
var<workgroup> chosen: array<u32, 64>;
var<workgroup> statuses: atomic<u32>;
// How many contacts there are with the surface at the start.
var<workgroup> contactCount: atomic<u32>;

// What an invocation finds for two parts.
struct Found {
  record: u32,
  // Its time; of bodies that stand, the signed distance.
  key: f32,
  // Whether it is their contact at the start, and not their impact.
  isContact: bool,
}

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
    atomicStore(&contactCount, 0u);
  }
  workgroupBarrier();
  var best = Found(NO_RECORD, NEVER, false);
  for (var at = first + lane; at < select(first, end, hasRoom); at += 64u) {
    let info = infoOfParts(at);
    if (HAS_SURFACES && kindOf(at) < PROPOSAL_PLAIN) {
      atomicAdd(&contactCount, 1u);
    }
    if (infoStatus(info) == STATUS_INVALID_INPUT) {
      atomicOr(&statuses, IS_INVALID);
    } else if (HAS_SURFACES && PASSES_PARTING && (info & INFO_OVERLAPS) != 0u) {
      atomicOr(&statuses, OVERLAPS);
      if ((info & INFO_TURNS) != 0u && (info & INFO_HIT) != 0u) {
        best = earlier(Found(at, timeOf(at), false), best);
      }
    } else if (HAS_SURFACES && (info & INFO_STANDS) != 0u) {
      atomicOr(&statuses, STANDS);
    } else if ((info & INFO_HIT) != 0u) {
      best = earlier(Found(at, timeOf(at), false), best);
    }
  }
  workgroupBarrier();
  let found = atomicLoad(&statuses);
  let areCompared = HAS_SURFACES && (found & (OVERLAPS | STANDS)) != 0u;
  let isKept = hasRoom && !(areCompared && atomicLoad(&contactCount) > MOST_COMPARED);
  let parts = Segment(first, select(first, end, isKept && areCompared));
  if (HAS_SURFACES) {
    for (var at = parts.first + lane; at < parts.end; at += 64u) {
      compareContact(parts, at);
    }
    storageBarrier();
    workgroupBarrier();
    if (PASSES_PARTING) {
      for (var at = parts.first + lane; at < parts.end; at += 64u) {
        best = earlier(startImpact(parts, at), best);
      }
    }
  }
  let isFirst = isFirstOfAll(best, lane);
  let isInvalid = (found & IS_INVALID) != 0u;
  let isAnswered = !isInvalid && isKept;
  if (isFirst && isAnswered) {
    storeFound(pair, parts, best);
  }
  // Whether any invocation has found one.
  var hasAny = false;
  var hasEarly = false;
  for (var other = 0u; other < 64u; other++) {
    hasAny |= chosen[other] != NO_RECORD;
    hasEarly |= chosen[other] != NO_RECORD && keys[other] <= 0.0;
  }
  var stands = false;
  if (HAS_SURFACES && !PASSES_PARTING) {
    // All have read them.
    workgroupBarrier();
    var deepest = Found(NO_RECORD, NEVER, true);
    for (var at = parts.first + lane; at < select(parts.first, parts.end, !hasEarly); at += 64u) {
      deepest = earlier(standing(parts, at), deepest);
    }
    let isDeepest = isFirstOfAll(deepest, lane);
    if (isDeepest && isAnswered) {
      // Bodies that overlap, and approach along no normal, have that of their deepest contact.
      storeContact(pair, answerOfGroup(parts, partOf(deepest.record)), INFINITY_BITS | SIGN_BIT);
    }
    for (var other = 0u; other < 64u; other++) {
      stands |= chosen[other] != NO_RECORD;
    }
  }
  if (lane == 0u && !(isAnswered && (hasAny || stands))) {
    // The places of pairs at MOST_SUM and beyond are all MOST_SUM: pairs of bodies there may have pairs of parts.
    let isNone = first == end && end != MOST_SUM;
    let status = select(STATUS_SEPARATED, STATUS_INVALID_INPUT, isInvalid);
    storeNone(pair, select(STATUS_CAPACITY_EXCEEDED, status, isKept || isNone));
  }
  workgroupBarrier();
}

// The one of two that comes first, of ties that with the lower parts.
fn earlier(found: Found, than: Found) -> Found {
  let isTie = found.key == than.key;
  let comesFirst = found.record != NO_RECORD && (than.record == NO_RECORD || found.key < than.key ||
      (isTie && isLower(found.record, than.record)));
  if (comesFirst) {
    return found;
  }
  return than;
}

// Whether what an invocation has found comes before what all others have found. All of the workgroup call it.
fn isFirstOfAll(found: Found, lane: u32) -> bool {
  keys[lane] = found.key;
  chosen[lane] = found.record;
  workgroupBarrier();
  for (var other = 0u; other < 64u; other++) {
    if (other != lane && earlier(Found(chosen[other], keys[other], false), found).record != found.record) {
      return false;
    }
  }
  return found.record != NO_RECORD;
}

fn timeOf(at: u32) -> f32 {
  return timeOfWord(wordOfTime(at));
}

// B's velocity minus A's.
fn velocityOf(at: u32) -> vec3f {
  return velocityBetween(partPairs[at].xy);
}

// The normal of a contact at the start, from A to B.
fn normalOfContact(answer: Answer) -> vec3f {
  if (answer.isGiven) {
    return normalAtStart(answer.record);
  }
  return select(-1.0, 1.0, isSurfaceFirst(answer.record)) * normalOf(answer.record);
}

// Of parts that overlap at the start, and approach along the normal of a contact that the surface has: their impact, if
// it accepts that of the kernel. Otherwise since when they overlap along that normal.
fn startImpact(parts: Segment, at: u32) -> Found {
  let none = Found(NO_RECORD, NEVER, false);
  let info = infoOfParts(at);
  if ((info & INFO_OVERLAPS) == 0u) {
    return none;
  }
  let contact = listedContact(parts, at);
  let velocity = velocityOf(at);
  let normal = normalOfContact(contact.answer);
  let isExact = isOfFace(at) && (!contact.answer.isGiven || kindOf(at) == PROPOSAL_KEPT);
  let turns = (info & INFO_TURNS) != 0u;
  let isApproaching = select(approaches(velocity, normal, isExact), (info & INFO_APPROACHES) != 0u, turns);
  if (!contact.isListed || !isApproaching) {
    return none;
  }
  if (!turns && (info & INFO_HIT) != 0u && timeOf(at) <= 0.0) {
    return Found(at, timeOf(at), false);
  }
  let closing = -dot(velocity, normal);
  return Found(at, select(-NEVER, (contact.answer.distance - parameters.margin) / closing, closing > 0.0), true);
}

// The contact at the start that the invocation of a pair of parts finds, if it is the first one of its convex part:
// that part's answer. Bodies that move may only touch.
fn standing(parts: Segment, at: u32) -> Found {
  let none = Found(NO_RECORD, NEVER, true);
  if (kindOf(at) >= PROPOSAL_PLAIN) {
    return none;
  }
  let part = partOf(at);
  for (var other = parts.first; other < at; other++) {
    if (isOfGroup(other, part)) {
      return none;
    }
  }
  let answer = answerOfGroup(Segment(at, parts.end), part);
  let info = infoOfParts(answer.record);
  if ((info & INFO_OVERLAPS) == 0u && ((info & INFO_TURNS) != 0u || any(velocityOf(at) != vec3f(0.0)))) {
    return none;
  }
  return Found(answer.record, answer.distance, true);
}

fn storeFound(pair: u32, parts: Segment, found: Found) {
  if (found.isContact) {
    let time = select(bitcast<u32>(found.key), INFINITY_BITS | SIGN_BIT, found.key <= -NEVER);
    storeContact(pair, listedContact(parts, found.record).answer, time);
    return;
  }
  storeChosen(pair, found.record, ~(INFO_APPROACHES | INFO_OVERLAPS | INFO_STANDS | INFO_TURNS));
}

// `time`: the bits of the unclamped time.
fn storeContact(pair: u32, answer: Answer, time: u32) {
  let record = answer.record;
  let normal = normalOfContact(answer);
  var point = pointAtStart(record);
  if (!answer.isGiven && kindOf(record) > PROPOSAL_EXACT) {
    point = select(answer.point - normal * answer.distance, answer.point, isSurfaceFirst(record));
  }
  storeOverlap(pair, normal, point, time);
}

// The record of a pair without an impact, or one that is invalid.
fn storeNone(pair: u32, status: u32) {
  storeNoImpact(pair, status, select(0u, INFINITY_BITS, status == STATUS_SEPARATED));
}
