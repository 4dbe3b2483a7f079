// Keeps the first impact of each ray: that of the lowest time, and of the body with the lowest index if times are
// equal. It runs after each part of the pairs.

import package::broad-phase::ray-hit::{NO_BODY};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::rays::rays::{cursors, foundPairs, maxTimes, rayCount};
import package::shared::results::{INFO_HIT};

// Records of the part's impacts.
@group(0) @binding(6) var<storage, read> records: array<u32>;
// Per ray a RayHit or a PlanarRayHit: the record of an impact, and its body.
@group(0) @binding(21) var<storage, read_write> rayHits: array<u32>;

// Words of a record of an impact, and which of them are its time and its `info`; words of a hit.
override RECORD_WORDS: u32;
override TIME_WORD: u32;
override INFO_WORD: u32;
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
    for (var word = 0u; word < HIT_WORDS; word++) {
      rayHits[hit + word] = 0u;
    }
    rayHits[hit + TIME_WORD] = INFINITY;
    rayHits[hit + RECORD_WORDS] = NO_BODY;
  }
  let latest = timeKey(bitcast<u32>(maxTimes[ray]));
  var bestTime = timeKey(rayHits[hit + TIME_WORD]);
  var bestBody = rayHits[hit + RECORD_WORDS];
  var best = NO_BODY;
  for (var place = first; place < end; place++) {
    let slot = place - parameters.firstPair;
    if ((records[RECORD_WORDS * slot + INFO_WORD] & INFO_HIT) == 0u) {
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
}

// Bits of a time, or of 0 for a negative one. They are in the order of the times, infinity last.
fn timeKey(bits: u32) -> u32 {
  return select(bits, 0u, (bits >> 31u) == 1u);
}
