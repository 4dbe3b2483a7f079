// Replaces each value by the sum of all values before it.

import package::kernels::broad-phase::scan::{
  add64, blockTotals, parameters, saturated, sumOfShare, sumUpTo, values, SCAN_BLOCK, SCAN_SHARE
};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = workgroupId.x * SCAN_BLOCK + localIndex * SCAN_SHARE;
  let own = sumOfShare(first);
  let upToHere = add64(sumUpTo(localIndex, own), blockTotals[workgroupId.x]);
  var sum = vec2u(upToHere.x - own.x, upToHere.y - own.y - select(0u, 1u, upToHere.x < own.x));
  for (var at = first; at < min(first + SCAN_SHARE, parameters.valueCount); at++) {
    let value = values[at];
    values[at] = saturated(sum);
    sum = add64(sum, vec2u(value, 0u));
  }
  if (workgroupId.x == 0u && localIndex == 0u) {
    values[parameters.valueCount] = saturated(blockTotals[parameters.blockCount]);
  }
}
