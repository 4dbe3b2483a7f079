// Writes the indices of the wanted pairs, class by class, ascending in each.

import package::kernels::lists::{
  parameters, blockSums, list, classesFrom, classNumber, countsBefore, countOf, addOne
};
import package::shared::list::{LIST_HEADER, BLOCK_SIZE, PAIRS_PER_INVOCATION};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION;
  let classes = classesFrom(first);
  var before = countsBefore(classes.counts, localIndex);
  if (blockIndex >= parameters.blockCount) {
    return;
  }
  for (var i = 0u; i < PAIRS_PER_INVOCATION; i++) {
    if ((classes.wanted & (1u << i)) != 0u) {
      let pairClass = classNumber(classes, i);
      let slot = blockSums[pairClass * parameters.blockCount + blockIndex] + countOf(before, pairClass);
      list[LIST_HEADER + slot] = first + i;
      before = addOne(before, pairClass);
    }
  }
}
