// The arrays of `impacts`.

import package::kernels::arrays::{
  parameters, records, INFO_WORD, NORMAL_WORD, POINT_A_WORD, SLOTS_PER_INVOCATION, TIME_WORD, iterationsOf, slotsOf,
  pairOf, recordOf, store, storePair, storePoint, storeVector
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
    let hasPoint = (info & INFO_HAS_POINTS) != 0u;
    let time = records[record + TIME_WORD];
    moved |= select(0u, 1u << shift, hasPoint);
    iterations |= iterationsOf(info, slot - slots.first);
    store(parameters.unclampedTime, slot, time);
    // At least 0: a number with a sign bit is 0 or below.
    store(parameters.time, slot, select(time, 0u, (time >> 31u) == 1u));
    storeVector(parameters.normal, slot, record + NORMAL_WORD);
    storePoint(parameters.point, slot, record + POINT_A_WORD, hasPoint, pair, time);
  }
  let word = slots.first / SLOTS_PER_INVOCATION;
  store(parameters.status, word, statuses);
  store(parameters.moved, word, moved);
  store(parameters.iterations, 2u * word, iterations.x);
  store(parameters.iterations, 2u * word + 1u, iterations.y);
}
