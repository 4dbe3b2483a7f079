// Writes the indices of the wanted records, ascending, behind their number.

import package::kernels::records::{
  parameters, inclusiveSum, isWanted, countWanted, BLOCK_SIZE, RECORDS_PER_INVOCATION
};

@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * RECORDS_PER_INVOCATION;
  let count = countWanted(first);
  let upToHere = inclusiveSum(count, localIndex);
  if (blockIndex >= parameters.blockCount) {
    return;
  }
  var slot = 1u + blockSums[blockIndex] + upToHere - count;
  for (var i = 0u; i < RECORDS_PER_INVOCATION; i++) {
    if (isWanted(first + i)) {
      list[slot] = first + i;
      slot += 1u;
    }
  }
}
