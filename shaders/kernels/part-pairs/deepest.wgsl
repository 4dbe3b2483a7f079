// The contact of each pair of bodies: the deepest of its pairs of parts. With a mesh, the second and the third pass
// over what these propose (src/parts/surface/second-pass.ts and deepest-record.ts have the same in double
// precision). A workgroup takes a pair of bodies.

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{firstParts, parameters};
import package::part-pairs::surface::proposals::{
  NORMAL_ERROR, PROPOSAL_EXACT, PROPOSAL_KEPT, PROPOSAL_NONE, PROPOSAL_PLAIN, PROPOSAL_ROWS
};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::results::{
  infoStatus, INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT,
  STATUS_OVERLAPPING, STATUS_SEPARATED
};

// The contacts of the pairs of parts.
@group(0) @binding(1) var<storage, read> partRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> records: array<vec4u>;
@group(0) @binding(4) var<storage, read> partPairs: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> proposals: array<vec4f>;
// The pair of parts that each contact is of.
@group(0) @binding(6) var<storage, read_write> chosenParts: array<vec4u>;
// With LISTS_PARTS: the pair of bodies of each of these.
@group(0) @binding(7) var<storage, read_write> pairOfParts: array<u32>;

// Whether all contacts of pairs of parts are kept, in ascending order of the parts, in place of the deepest one: those
// that are hits, and that no other one makes superfluous.
override LISTS_PARTS: bool = false;

// A contact that is deeper than the least clearance by more than this share is dropped.
const MOST_EXCESS: f32 = 0.05;
// Cosine of the angle from which a contact is aside of another: 25 degrees.
const ASIDE: f32 = 0.906307787;
// Depths that differ by this share of the greatest are the same.
const SAME_DEPTH: f32 = 1e-6;
// Triangles are behind a plane if they are over it by no more than this many times the weld tolerance.
const BEHIND: f32 = 4.0;
// A contact that no clearance contradicts is the answer if it is as deep as the others but for this share.
const LEAST_SHARE: f32 = 1e-3;
// Depths that differ by less than this share are ties.
const DEPTH_TIE: f32 = 1e-6;

const NO_LIMIT: f32 = 1e30;
const NO_RECORD: u32 = 0xffffffffu;

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

// The pairs of parts of a pair of bodies: from `first` up to `end`.
struct Segment {
  first: u32,
  end: u32,
}

// All invocations of the workgroup call it.
fn decide(pair: u32, lane: u32) {
  let first = firstParts[pair];
  let end = firstParts[pair + 1u];
  let isKept = end <= parameters.partPairCapacity;
  let parts = Segment(first, select(first, end, isKept));
  if (lane == 0u) {
    atomicStore(&statuses, 0u);
  }
  for (var at = parts.first + lane; at < parts.end; at += 64u) {
    judge(parts, at);
  }
  storageBarrier();
  workgroupBarrier();
  if (LISTS_PARTS) {
    for (var at = parts.first + lane; at < parts.end; at += 64u) {
      storeListed(pair, parts, at);
    }
    return;
  }
  var best = Answer(NO_RECORD, NO_LIMIT, true, vec3f(0.0));
  for (var at = parts.first + lane; at < parts.end; at += 64u) {
    let answer = answerOf(parts, at);
    if (comesFirst(answer, best)) {
      best = answer;
    }
    if (infoStatus(partRecords[4u * at + 1u].w) == STATUS_INVALID_INPUT) {
      atomicOr(&statuses, 1u);
    }
  }
  distances[lane] = best.distance;
  chosen[lane] = best.record;
  workgroupBarrier();
  let isInvalid = atomicLoad(&statuses) != 0u;
  for (var other = 0u; other < 64u; other++) {
    if (other != lane && comesFirst(Answer(chosen[other], distances[other], true, vec3f(0.0)), best)) {
      best.record = NO_RECORD;
      break;
    }
  }
  if (best.record != NO_RECORD && !isInvalid) {
    storeContact(pair, best);
  }
  if (lane == 0u && (isInvalid || parts.first == parts.end)) {
    // The places of pairs at MOST_SUM and beyond are all MOST_SUM: pairs of bodies there may have pairs of parts.
    let isNone = first == end && end != MOST_SUM;
    let known = select(STATUS_SEPARATED, STATUS_INVALID_INPUT, isInvalid);
    storeNone(pair, select(STATUS_CAPACITY_EXCEEDED, known, isKept || isNone));
  }
  workgroupBarrier();
}

// The contact of one convex body with all triangles that it hits, or of two parts.
struct Answer {
  record: u32,
  // Signed.
  distance: f32,
  // Whether it is the kernel's contact, with its normal.
  isGiven: bool,
  // Otherwise its point on the mesh.
  point: vec3f,
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

// Whether the parts of a record come before those of another.
fn isLower(record: u32, than: u32) -> bool {
  let own = partPairs[record].zw & vec2u((1u << PART_KIND_SHIFT) - 1u);
  let other = partPairs[than].zw & vec2u((1u << PART_KIND_SHIFT) - 1u);
  return own.x < other.x || (own.x == other.x && own.y < other.y);
}

// The words of a proposal.
fn kindOf(at: u32) -> u32 {
  return u32(proposals[PROPOSAL_ROWS * at].w) >> 1u;
}

fn isMeshFirst(at: u32) -> bool {
  return (u32(proposals[PROPOSAL_ROWS * at].w) & 1u) != 0u;
}

fn normalOf(at: u32) -> vec3f {
  return proposals[PROPOSAL_ROWS * at].xyz;
}

fn pointOf(at: u32) -> vec3f {
  return proposals[PROPOSAL_ROWS * at + 1u].xyz;
}

fn exitDepth(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 1u].w;
}

fn depthOf(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 3u].x;
}

fn leastClearance(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 6u].w;
}

fn isDropped(at: u32) -> bool {
  return proposals[PROPOSAL_ROWS * at + 7u].w != 0.0;
}

// The number of the convex part that a proposal is of.
fn partOf(at: u32) -> u32 {
  return partPairs[at][select(2u, 3u, isMeshFirst(at))];
}

// Whether a proposal is of a mesh and the same convex part as another.
fn isOfGroup(at: u32, part: u32) -> bool {
  return kindOf(at) < PROPOSAL_PLAIN && partOf(at) == part;
}

// Writes the least clearance of other contacts that clear a proposal's triangle, and whether the proposal is dropped.
fn judge(parts: Segment, at: u32) {
  let row = PROPOSAL_ROWS * at;
  let kind = kindOf(at);
  if (kind >= PROPOSAL_PLAIN) {
    return;
  }
  let part = partOf(at);
  let depths = proposals[row + 3u];
  let exit = exitDepth(at);
  let corners = array<vec4f, 3>(proposals[row + 5u], proposals[row + 6u], proposals[row + 7u]);
  let slack = depths.w;
  let tolerance = BEHIND * corners[0].w + slack;
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
    if (kind >= PROPOSAL_NONE || depths.x <= 0.0 || other == at || !isOfGroup(other, part)) {
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
      let matters = select(
        clearance < least || (!isDropped && (isKernelsPlane || clearance < exit - same) &&
          dot(normal, vector.xyz) < ASIDE),
        clearance < min(least, exit), isKernels
      );
      if (!matters || !isBehind(corners, tolerance, other, vector.xyz, isKernelsPlane)) {
        continue;
      }
      least = min(least, clearance);
      isDropped |= !isKernels && (isKernelsPlane || clearance < exit - same) && dot(normal, vector.xyz) < ASIDE;
    }
  }
  let most = min(least, depths.z);
  isDropped |= !isKernels && exit > most + MOST_EXCESS * abs(most) + same;
  proposals[row + 6u].w = least;
  proposals[row + 7u].w = select(0.0, 1.0, isDropped);
}

// Whether corners are behind a plane with this normal through the highest corner of another triangle.
fn isBehind(corners: array<vec4f, 3>, tolerance: f32, other: u32, normal: vec3f, isKernels: bool) -> bool {
  let source = PROPOSAL_ROWS * other;
  let second = max(dot(proposals[source + 6u].xyz, normal), dot(proposals[source + 7u].xyz, normal));
  let height = max(dot(proposals[source + 5u].xyz, normal), second);
  let point = proposals[source + 1u].xyz;
  var own = corners;
  for (var i = 0u; i < 3u; i++) {
    let over = dot(own[i].xyz, normal) - height;
    // The error of a kernel's normal lifts triangles that are far from the point of contact.
    if (over > tolerance + select(0.0, NORMAL_ERROR * length(own[i].xyz - point), isKernels)) {
      return false;
    }
  }
  return true;
}

// The answer that the invocation of a pair of parts finds: its own, or that of its convex part with all triangles,
// if it is the first of these. Otherwise none.
fn answerOf(parts: Segment, at: u32) -> Answer {
  let none = Answer(NO_RECORD, NO_LIMIT, true, vec3f(0.0));
  let kind = kindOf(at);
  if (kind >= PROPOSAL_PLAIN) {
    return Answer(at, bitcast<f32>(partRecords[4u * at].w), true, vec3f(0.0));
  }
  let part = partOf(at);
  for (var other = parts.first; other < at; other++) {
    if (isOfGroup(other, part)) {
      return none;
    }
  }
  return answerOfGroup(Segment(at, parts.end), part);
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
  let given = Answer(nearest, -depthOf(nearest), true, vec3f(0.0));
  if (deepest <= 0.0) {
    return nearestAnswer(parts, part, given);
  }
  if (!hasUsable) {
    return given;
  }
  let same = SAME_DEPTH * deepest + slack;
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
  var fullest = max(most, 0.0) * (1.0 + DEPTH_TIE);
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
    if (ground > fullest && ground <= leastClearance(at) * (1.0 + LEAST_SHARE)) {
      fullest = ground;
      full = at;
    }
  }
  if (full != NO_RECORD) {
    return Answer(full, -fullest, false, proposals[PROPOSAL_ROWS * full + 4u].xyz);
  }
  if (found == NO_RECORD || exitDepth(found) < most - share) {
    found = shallow;
  }
  return Answer(
    found, -min(exitDepth(found), most + share), kindOf(found) == PROPOSAL_KEPT, pointOf(found)
  );
}

// Of a part that is apart from all triangles: the nearest, and of several the accepted.
fn nearestAnswer(parts: Segment, part: u32, given: Answer) -> Answer {
  if (kindOf(given.record) <= PROPOSAL_EXACT) {
    return acceptedAnswer(given.record);
  }
  let source = PROPOSAL_ROWS * given.record;
  let least = depthOf(given.record) - proposals[source + 5u].w;
  for (var at = parts.first; at < parts.end; at++) {
    if (isOfGroup(at, part) && kindOf(at) <= PROPOSAL_EXACT && depthOf(at) >= least) {
      return acceptedAnswer(at);
    }
  }
  return given;
}

// A kernel's contact that was accepted, with the exact normal.
fn acceptedAnswer(at: u32) -> Answer {
  return Answer(at, -exitDepth(at), kindOf(at) == PROPOSAL_KEPT, pointOf(at));
}

fn isInPool(at: u32, part: u32, hasKept: bool) -> bool {
  return isOfGroup(at, part) && depthOf(at) > 0.0 && kindOf(at) < PROPOSAL_NONE && !(hasKept && isDropped(at));
}

// How far the part moves at least to clear the triangle, along an accepted normal.
fn wayOf(at: u32) -> f32 {
  return min(proposals[PROPOSAL_ROWS * at + 3u].z, leastClearance(at));
}

// What a contact's depth comes to if the least clearance of its triangle is believed.
fn believed(at: u32) -> f32 {
  return min(exitDepth(at), wayOf(at));
}

fn isDeeper(at: u32, than: u32) -> bool {
  let difference = depthOf(at) - depthOf(than);
  return difference > 0.0 || (difference == 0.0 && isLower(at, than));
}

// Whether a contact is deeper than another, or with `sign` -1 shallower; of ties, the kernel's first, then the lowest
// triangle.
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

// Stores the contact of a pair of parts in its place among those of its pair of bodies.
fn storeListed(pair: u32, parts: Segment, at: u32) {
  var place = parts.first;
  for (var other = parts.first; other < parts.end; other++) {
    place += u32(isLower(other, at));
  }
  var own = Answer(at, -exitDepth(at), kindOf(at) == PROPOSAL_KEPT, pointOf(at));
  var isListed = true;
  if (kindOf(at) >= PROPOSAL_PLAIN) {
    own.isGiven = true;
  } else {
    let answer = answerOfGroup(parts, partOf(at));
    let isKernels = kindOf(at) <= PROPOSAL_EXACT;
    if (answer.record == at) {
      own = answer;
    } else {
      // No contact is deeper than the answer, but for those of kernels.
      let most = -answer.distance + SAME_DEPTH * depthOf(answer.record) + proposals[PROPOSAL_ROWS * at + 3u].w;
      isListed = !isDropped(at) && (isKernels || depthOf(at) <= 0.0 || exitDepth(at) <= most);
    }
  }
  storeContact(place, own);
  pairOfParts[place] = pair;
  if (!isListed) {
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
    let isFirst = isMeshFirst(answer.record);
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
// than the margin has that as its bound.
fn storeNone(pair: u32, status: u32) {
  let bound = select(0.0, max(parameters.margin, 1e-30), status == STATUS_SEPARATED);
  let to = 4u * pair;
  records[to] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 1u] = vec4u(0u, 0u, 0u, status);
  records[to + 2u] = vec4u(0u, 0u, 0u, bitcast<u32>(bound));
  records[to + 3u] = vec4u(bitcast<u32>(select(0.0, 1e30, status == STATUS_SEPARATED)), 0u, 0u, 0u);
  chosenParts[pair] = vec4u(0xffffffffu);
}
