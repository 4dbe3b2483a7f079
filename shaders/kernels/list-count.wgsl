// Counts the wanted records of each block.

import package::kernels::records::{parameters, inclusiveSum, countWanted, BLOCK_SIZE, RECORDS_PER_INVOCATION};

@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let sum = inclusiveSum(countWanted(blockIndex * BLOCK_SIZE + localIndex * RECORDS_PER_INVOCATION), localIndex);
  if (localIndex == 255u && blockIndex < parameters.blockCount) {
    blockSums[blockIndex] = sum;
  }
}
