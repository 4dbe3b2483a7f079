// Turns the sum of each block into that of all blocks before it, in one workgroup.

import package::kernels::broad-phase::scan::{add64, blockTotals, parameters, sumUpTo};

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  let count = parameters.blockCount;
  let share = (count + 255u) / 256u;
  let first = min(localIndex * share, count);
  let end = min(first + share, count);
  var own = vec2u(0u);
  for (var at = first; at < end; at++) {
    own = add64(own, blockTotals[at]);
  }
  let upToHere = sumUpTo(localIndex, own);
  // The sum before this share: the numbers are 64-bit, and the difference needs no more.
  var sum = vec2u(upToHere.x - own.x, upToHere.y - own.y - select(0u, 1u, upToHere.x < own.x));
  for (var at = first; at < end; at++) {
    let next = add64(sum, blockTotals[at]);
    blockTotals[at] = sum;
    sum = next;
  }
  if (localIndex == 255u) {
    blockTotals[count] = upToHere;
  }
}
