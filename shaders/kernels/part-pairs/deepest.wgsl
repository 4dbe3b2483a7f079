// The contact of each pair of bodies: the deepest of its pairs of parts. With a surface, the second and the third pass
// over what these propose (src/parts/surface/second-pass.ts and deepest-record.ts have the same in double
// precision). A workgroup takes a pair of bodies.

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{beyondMargin, firstParts, parameters};
import package::kernels::part-pairs::deepest-record::{Answer, answerOfGroup, listedContact, MOST_COMPARED, NO_RECORD};
import package::kernels::part-pairs::proposal-records::{
  Segment, isLower, isOfGroup, isSurfaceFirst, kindOf, normalOf, partOf, partPairs, NO_LIMIT
};
import package::kernels::part-pairs::second-pass::{compareContact};
import package::part-pairs::surface::proposals::{PROPOSAL_EXACT, PROPOSAL_PLAIN};
import package::shared::results::{
  infoStatus, INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT,
  STATUS_NOT_CONVERGED, STATUS_OVERLAPPING, STATUS_SEPARATED
};

// The contacts of the pairs of parts.
@group(0) @binding(1) var<storage, read> partRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> records: array<vec4u>;
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
    if (infoStatus(partRecords[4u * at + 1u].w) == STATUS_INVALID_INPUT) {
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
    return Answer(at, bitcast<f32>(partRecords[4u * at].w), true, vec3f(0.0), 0.0);
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
    records[4u * place + 1u].w = STATUS_SEPARATED;
  }
}

fn storeContact(pair: u32, answer: Answer) {
  let source = 4u * answer.record;
  let to = 4u * pair;
  var rows = array<vec4u, 4>(
    partRecords[source], partRecords[source + 1u], partRecords[source + 2u], partRecords[source + 3u]
  );
  if (!answer.isGiven) {
    let isFirst = isSurfaceFirst(answer.record);
    let normal = select(-1.0, 1.0, isFirst) * normalOf(answer.record);
    rows[0] = vec4u(bitcast<vec3u>(normal), rows[0].w);
    if (kindOf(answer.record) > PROPOSAL_EXACT) {
      let onA = select(answer.point - normal * answer.distance, answer.point, isFirst);
      let status = select(STATUS_SEPARATED, STATUS_OVERLAPPING, answer.distance <= 0.0);
      let iterations = (rows[1].w >> INFO_ITERATIONS_SHIFT) << INFO_ITERATIONS_SHIFT;
      rows[0].w = bitcast<u32>(answer.distance);
      rows[1] = vec4u(bitcast<vec3u>(onA), status | INFO_HIT | INFO_HAS_POINTS | iterations);
      rows[2] = bitcast<vec4u>(vec4f(onA + normal * answer.distance, answer.distance));
      rows[3] = vec4u(bitcast<u32>(answer.distance), 0u, 0u, 0u);
    }
  }
  for (var i = 0u; i < 4u; i++) {
    records[to + i] = rows[i];
  }
  // Those of the contact's normal follow.
  records[to + 3u] = vec4u(rows[3].x, 0u, 0u, 0u);
  chosenParts[pair] = partPairs[answer.record];
}

// The record of a pair without a pair of parts, or with one that is invalid. A pair whose parts are all farther apart
// than the margin has a bound above it.
fn storeNone(pair: u32, status: u32) {
  let bound = select(0.0, beyondMargin(), status == STATUS_SEPARATED);
  let to = 4u * pair;
  records[to] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 1u] = vec4u(0u, 0u, 0u, status);
  records[to + 2u] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 3u] = vec4u(bitcast<u32>(select(0.0, 1e30, status == STATUS_SEPARATED)), 0u, 0u, 0u);
  chosenParts[pair] = vec4u(0xffffffffu);
}
