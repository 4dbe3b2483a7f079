// Counts the selected pairs of each class in each block.

import package::kernels::compact::{
  parameters, blockCount, blockSums, classesFrom, classNumber, CLASS_COUNT, IS_CLASSIFIED
};
import package::shared::constants::{BLOCK_SIZE, PAIRS_PER_INVOCATION};

// Pairs in this block, per class.
var<workgroup> sums: array<atomic<u32>, CLASS_COUNT>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let classes = classesFrom(blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION);
  if (IS_CLASSIFIED) {
    for (var rest = classes.selected; rest != 0u; rest &= rest - 1u) {
      atomicAdd(&sums[classNumber(classes, firstTrailingBit(rest))], 1u);
    }
  } else {
    atomicAdd(&sums[0], countOneBits(classes.selected));
  }
  workgroupBarrier();
  if (localIndex < min(parameters.classCount, CLASS_COUNT) && blockIndex < blockCount()) {
    blockSums[localIndex * blockCount() + blockIndex] = atomicLoad(&sums[localIndex]);
  }
}
