// The sum of each block of values.

import package::kernels::broad-phase::scan::{blockTotals, sumOfShare, sumUpTo, SCAN_BLOCK, SCAN_SHARE};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let sum = sumUpTo(localIndex, sumOfShare(workgroupId.x * SCAN_BLOCK + localIndex * SCAN_SHARE));
  if (localIndex == 255u) {
    blockTotals[workgroupId.x] = sum;
  }
}
