// The arrays of `intersects`.

import package::kernels::arrays::{
  parameters, records, INFO_WORD, SLOTS_PER_INVOCATION, slotsOf, pairOf, recordOf, store, storePair
};
import package::shared::results::{infoStatus, infoIsHit};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slots = slotsOf(workgroupId, localIndex);
  if (slots.first >= slots.end) {
    return;
  }
  var statuses = 0u;
  var hits = 0u;
  for (var slot = slots.first; slot < slots.end; slot++) {
    let pair = pairOf(slot);
    let record = recordOf(slot, pair);
    let info = records[record + INFO_WORD];
    let shift = 8u * (slot - slots.first);
    storePair(slot, pair);
    statuses |= infoStatus(info) << shift;
    hits |= select(0u, 1u << shift, infoIsHit(info));
  }
  let word = slots.first / SLOTS_PER_INVOCATION;
  store(parameters.status, word, statuses);
  store(parameters.hit, word, hits);
}
