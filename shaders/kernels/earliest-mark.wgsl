// Clears the hit bit of pairs that are not the first impact of one of their bodies.

import package::kernels::earliest::{
  INFO_WORD, RECORD_WORDS, isFirstImpact, loadHit, mayBeFirstImpact, records, timeKey
};
import package::shared::results::{INFO_HIT};

// Whether all impacts at the earliest time stay hits. A host that has pairs beyond these breaks the ties.
override KEEPS_TIES: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let hit = loadHit(workgroupId, localIndex);
  if (!hit.isHit) {
    return;
  }
  if (hit.isOpen &&
      (mayBeFirstImpact(hit.numbers.x, timeKey(hit.index)) || mayBeFirstImpact(hit.numbers.y, timeKey(hit.index)))) {
    return;
  }
  let word = select(2u, 0u, KEEPS_TIES);
  let key = select(~hit.index, timeKey(hit.index), KEEPS_TIES);
  if (!isFirstImpact(hit.numbers.x, word, key) && !isFirstImpact(hit.numbers.y, word, key)) {
    records[hit.index * RECORD_WORDS + INFO_WORD] &= ~INFO_HIT;
  }
}
