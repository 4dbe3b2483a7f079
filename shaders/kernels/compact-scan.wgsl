// Turns the count of each class and block into its first slot, in one workgroup. The header of the list gets the first
// slot of each class, and the number of all listed pairs.

import package::kernels::compact::{parameters, blockCount, blockSums, list};

var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let blocks = blockCount();
  let total = parameters.classCount * blocks;
  let share = (total + 255u) / 256u;
  let first = min(localIndex * share, total);
  let end = min(first + share, total);
  var sum = 0u;
  for (var entry = first; entry < end; entry++) {
    sum += blockSums[entry];
  }
  var upToHere = sum;
  for (var step = 1u; step < 256u; step <<= 1u) {
    sums[localIndex] = upToHere;
    workgroupBarrier();
    if (localIndex >= step) {
      upToHere += sums[localIndex - step];
    }
    workgroupBarrier();
  }
  var slot = upToHere - sum;
  for (var entry = first; entry < end; entry++) {
    let count = blockSums[entry];
    blockSums[entry] = slot;
    if (entry % blocks == 0u) {
      list[entry / blocks] = slot;
    }
    slot += count;
  }
  if (localIndex == 255u) {
    list[parameters.countWord] = upToHere;
  }
}
