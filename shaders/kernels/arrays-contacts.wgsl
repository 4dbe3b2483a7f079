// The arrays of `contacts`, and of `distances`, which has some of them.

import package::kernels::arrays::{
  parameters, records, DISTANCE_WORD, FEATURE_A_WORD, FEATURE_B_WORD, INFO_WORD, LOWER_WORD, NORMAL_WORD, POINT_A_WORD,
  POINT_B_WORD, SLOTS_PER_INVOCATION, UPPER_WORD, iterationsOf, slotsOf, pairOf, recordOf, store, storePair, storePoint,
  storeVector, storeWord
};
import package::shared::results::{infoStatus, INFO_HAS_POINTS};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slots = slotsOf(workgroupId, localIndex);
  if (slots.first >= slots.end) {
    return;
  }
  var statuses = 0u;
  var moved = 0u;
  var iterations = vec2u(0u);
  for (var slot = slots.first; slot < slots.end; slot++) {
    let pair = pairOf(slot);
    let record = recordOf(slot, pair);
    let info = records[record + INFO_WORD];
    let shift = 8u * (slot - slots.first);
    storePair(slot, pair);
    statuses |= infoStatus(info) << shift;
    let hasPoints = (info & INFO_HAS_POINTS) != 0u;
    moved |= select(0u, 1u << shift, hasPoints);
    storeVector(parameters.normal, slot, record + NORMAL_WORD);
    storeWord(parameters.distance, slot, record + DISTANCE_WORD);
    storePoint(parameters.pointA, slot, record + POINT_A_WORD, hasPoints, pair, 0u);
    storePoint(parameters.pointB, slot, record + POINT_B_WORD, hasPoints, pair, 0u);
    iterations |= iterationsOf(info, slot - slots.first);
    storeWord(parameters.featureA, slot, record + FEATURE_A_WORD);
    storeWord(parameters.featureB, slot, record + FEATURE_B_WORD);
    storeWord(parameters.lower, slot, record + LOWER_WORD);
    storeWord(parameters.upper, slot, record + UPPER_WORD);
  }
  let word = slots.first / SLOTS_PER_INVOCATION;
  store(parameters.status, word, statuses);
  store(parameters.moved, word, moved);
  store(parameters.iterations, 2u * word, iterations.x);
  store(parameters.iterations, 2u * word + 1u, iterations.y);
}
