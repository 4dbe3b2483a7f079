// Keeps the first impact of each ray: that of the lowest time, and of the body with the lowest index if times are
// equal. It runs after each part of the pairs. A batch has a single part, after which it also gives each ray its
// status, counts the statuses and the hits, and moves points to world space: a ray that can't be cast, or that may meet
// a body which can't be used, has no hit, and neither has one without room for all its pairs.

import package::broad-phase::ray-hit::{NO_BODY};
import package::broad-phase::sums::{MOST_SUM};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters, IS_PLANAR};
import package::kernels::rays::rays::{cursors, foundPairs, maxTimes, rayCount};
import package::shared::results::{
  infoStatus, COUNTS_HITS, COUNTS_STATUSES, INFO_HIT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT,
  STATUS_OVERLAPPING
};

// Rows of Pose or PlanarPose.
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;
// Records of the part's impacts.
@group(0) @binding(6) var<storage, read> records: array<u32>;
// Per ray a RayHit or a PlanarRayHit: the record of an impact, and its body.
@group(0) @binding(21) var<storage, read_write> rayHits: array<u32>;
// Batches only.
@group(0) @binding(25) var<storage, read_write> counts: array<atomic<u32>>;

// Words of a record of an impact, and which of them are its time, its `info` and the first of its point; words of a
// hit.
override RECORD_WORDS: u32;
override TIME_WORD: u32;
override INFO_WORD: u32;
override POINT_WORD: u32;
override HIT_WORDS: u32;

const INFINITY: u32 = 0x7f800000u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ray = invocationIndex(workgroupId, localIndex);
  if (ray >= rayCount()) {
    return;
  }
  let first = max(cursors[ray], parameters.firstPair);
  let end = min(cursors[ray + 1u], parameters.firstPair + parameters.pairCapacity);
  let hit = HIT_WORDS * ray;
  if (parameters.firstPair == 0u) {
    clearHit(hit, 0u);
    rayHits[hit + TIME_WORD] = INFINITY;
  }
  let latest = timeKey(bitcast<u32>(maxTimes[ray]));
  var bestTime = timeKey(rayHits[hit + TIME_WORD]);
  var bestBody = rayHits[hit + RECORD_WORDS];
  var best = NO_BODY;
  var meetsInvalid = false;
  for (var place = first; place < end; place++) {
    let slot = place - parameters.firstPair;
    let info = records[RECORD_WORDS * slot + INFO_WORD];
    meetsInvalid |= infoStatus(info) == STATUS_INVALID_INPUT;
    if ((info & INFO_HIT) == 0u) {
      continue;
    }
    let time = timeKey(records[RECORD_WORDS * slot + TIME_WORD]);
    let body = foundPairs[slot].x;
    if (time <= latest && (time < bestTime || (time == bestTime && body < bestBody))) {
      bestTime = time;
      bestBody = body;
      best = slot;
    }
  }
  if (best != NO_BODY) {
    for (var word = 0u; word < RECORD_WORDS; word++) {
      rayHits[hit + word] = records[RECORD_WORDS * best + word];
    }
    rayHits[hit + RECORD_WORDS] = bestBody;
  }
  if (parameters.isOfBatch != 0u) {
    finish(ray, meetsInvalid);
  }
}

// A hit of no body, with this `info`.
fn clearHit(hit: u32, info: u32) {
  for (var word = 0u; word < HIT_WORDS; word++) {
    rayHits[hit + word] = 0u;
  }
  rayHits[hit + INFO_WORD] = info;
  rayHits[hit + RECORD_WORDS] = NO_BODY;
}

// Bits of a time, or of 0 for a negative one. They are in the order of the times, infinity last.
fn timeKey(bits: u32) -> u32 {
  return select(bits, 0u, (bits >> 31u) == 1u);
}

fn finish(ray: u32, meetsInvalid: bool) {
  let hit = HIT_WORDS * ray;
  var status = infoStatus(rayHits[hit + INFO_WORD]);
  let body = rayHits[hit + RECORD_WORDS];
  let failure = failureOf(ray, meetsInvalid);
  if (failure != 0u) {
    status = failure;
    clearHit(hit, failure);
  } else if (body != NO_BODY) {
    atomicAdd(&counts[COUNTS_HITS], 1u);
    let position = poses[select(2u, 1u, IS_PLANAR) * body];
    for (var axis = 0u; axis < select(3u, 2u, IS_PLANAR); axis++) {
      let at = hit + POINT_WORD + axis;
      let coordinate = position[axis] + bitcast<f32>(rayHits[at]);
      // A time that is only a bound has no point.
      rayHits[at] = bitcast<u32>(select(0.0, coordinate, status == STATUS_OVERLAPPING));
    }
  }
  atomicAdd(&counts[COUNTS_STATUSES + status], 1u);
}

// A status, or 0.
fn failureOf(ray: u32, meetsInvalid: bool) -> u32 {
  if (bitcast<u32>(maxTimes[ray]) >> 31u == 1u) {
    return STATUS_INVALID_INPUT;
  }
  let end = cursors[ray + 1u];
  // The places of pairs at MOST_SUM and beyond are all MOST_SUM: rays there may have pairs.
  if (end > parameters.pairCapacity && (end != cursors[ray] || end == MOST_SUM)) {
    return STATUS_CAPACITY_EXCEEDED;
  }
  return select(0u, STATUS_INVALID_INPUT, meetsInvalid);
}
