// Counts the keys of each digit in a block.

import package::kernels::broad-phase::parameters::{bodyCount, parameters};
import package::kernels::tree::sort::{blockIndex, digitCounts, digitOf, sortedFrom, DIGITS, SORT_BLOCK, SORT_SHARE};

var<workgroup> counts: array<atomic<u32>, DIGITS>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ownBlock = blockIndex(workgroupId);
  for (var i = 0u; i < SORT_SHARE; i++) {
    let at = ownBlock * SORT_BLOCK + 256u * i + localIndex;
    if (at < bodyCount()) {
      atomicAdd(&counts[digitOf(sortedFrom[at].x)], 1u);
    }
  }
  workgroupBarrier();
  if (localIndex < DIGITS && ownBlock < parameters.blockCount) {
    digitCounts[localIndex * parameters.blockCount + ownBlock] = atomicLoad(&counts[localIndex]);
  }
}
