// Counts the wanted pairs of each class in each block.

import package::kernels::lists::{
  parameters, blockSums, inclusiveCounts, countClasses, countOf, CLASS_COUNT
};
import package::shared::list::{BLOCK_SIZE, PAIRS_PER_INVOCATION};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let counts = countClasses(blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION);
  let sums = inclusiveCounts(counts, localIndex);
  if (localIndex == 255u && blockIndex < parameters.blockCount) {
    for (var c = 0u; c < min(parameters.classCount, CLASS_COUNT); c++) {
      blockSums[c * parameters.blockCount + blockIndex] = countOf(sums, c);
    }
  }
}
