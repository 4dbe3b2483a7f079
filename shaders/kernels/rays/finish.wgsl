// Gives each ray of a batch its status, and counts the statuses and the hits: a ray that can't be cast, or that may
// meet a body which can't be used, has no hit, and neither has one without room for all its pairs. Moves points to
// world space.

import package::broad-phase::ray-hit::{NO_BODY};
import package::broad-phase::sums::{MOST_SUM};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters, IS_PLANAR};
import package::kernels::rays::rays::{cursors, maxTimes, rayCount};
import package::shared::results::{
  COUNTS_HITS, COUNTS_STATUSES, INFO_STATUS_MASK, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT, STATUS_OVERLAPPING
};

// Rows of Pose or PlanarPose.
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;
// Records of all impacts.
@group(0) @binding(6) var<storage, read> records: array<u32>;
@group(0) @binding(21) var<storage, read_write> rayHits: array<u32>;
@group(0) @binding(25) var<storage, read_write> counts: array<atomic<u32>>;

// As in rays/first. POINT_WORD: the first word of a record's point.
override RECORD_WORDS: u32;
override INFO_WORD: u32;
override POINT_WORD: u32;
override HIT_WORDS: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ray = invocationIndex(workgroupId, localIndex);
  if (ray >= rayCount()) {
    return;
  }
  let hit = HIT_WORDS * ray;
  var status = rayHits[hit + INFO_WORD] & INFO_STATUS_MASK;
  let body = rayHits[hit + RECORD_WORDS];
  let failure = failureOf(ray);
  if (failure != 0u) {
    status = failure;
    for (var word = 0u; word < HIT_WORDS; word++) {
      rayHits[hit + word] = 0u;
    }
    rayHits[hit + INFO_WORD] = failure;
    rayHits[hit + RECORD_WORDS] = NO_BODY;
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
fn failureOf(ray: u32) -> u32 {
  if (bitcast<u32>(maxTimes[ray]) >> 31u == 1u) {
    return STATUS_INVALID_INPUT;
  }
  let end = cursors[ray + 1u];
  // The places of pairs at MOST_SUM and beyond are all MOST_SUM: rays there may have pairs.
  if (end > parameters.pairCapacity && (end != cursors[ray] || end == MOST_SUM)) {
    return STATUS_CAPACITY_EXCEEDED;
  }
  for (var place = cursors[ray]; place < end; place++) {
    if ((records[RECORD_WORDS * place + INFO_WORD] & INFO_STATUS_MASK) == STATUS_INVALID_INPUT) {
      return STATUS_INVALID_INPUT;
    }
  }
  return 0u;
}
