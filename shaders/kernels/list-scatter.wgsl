// Writes the indices of the wanted pairs, class by class, ascending in each.

import package::kernels::lists::{
  parameters, blockSums, list, classOf, inclusiveCounts, countClasses, countOf, addOne, NO_CLASS
};
import package::shared::list::{LIST_HEADER, BLOCK_SIZE, PAIRS_PER_INVOCATION};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION;
  let counts = countClasses(first);
  var before = inclusiveCounts(counts, localIndex);
  before.low -= counts.low;
  before.high -= counts.high;
  if (blockIndex >= parameters.blockCount) {
    return;
  }
  for (var i = 0u; i < PAIRS_PER_INVOCATION; i++) {
    let pairClass = classOf(first + i);
    if (pairClass != NO_CLASS) {
      let slot = blockSums[pairClass * parameters.blockCount + blockIndex] + countOf(before, pairClass);
      list[LIST_HEADER + slot] = first + i;
      before = addOne(before, pairClass);
    }
  }
}
