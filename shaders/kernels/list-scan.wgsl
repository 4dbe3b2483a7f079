// Turns the counts of the blocks into the first slot of each; one workgroup. The total goes before the list.

import package::kernels::records::{parameters, inclusiveSum};

@group(0) @binding(2) var<storage, read_write> blockSums: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let share = (parameters.blockCount + 255u) / 256u;
  let first = localIndex * share;
  let end = min(first + share, parameters.blockCount);
  var sum = 0u;
  for (var blockIndex = first; blockIndex < end; blockIndex++) {
    sum += blockSums[blockIndex];
  }
  let upToHere = inclusiveSum(sum, localIndex);
  var slot = upToHere - sum;
  for (var blockIndex = first; blockIndex < end; blockIndex++) {
    let count = blockSums[blockIndex];
    blockSums[blockIndex] = slot;
    slot += count;
  }
  if (localIndex == 255u) {
    list[0] = upToHere;
  }
}
