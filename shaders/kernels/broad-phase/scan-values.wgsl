// Replaces each value by the sum of all values before it. Of owners, it also limits the ranks that were given.

import package::broad-phase::sums::{MOST_RANKED};
import package::kernels::broad-phase::scan::{
  add64, blockTotals, parameters, rowLength, saturated, sumOfShare, sumUpTo, valueAt, values, SCAN_BLOCK, SCAN_SHARE
};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = workgroupId.x * SCAN_BLOCK + localIndex * SCAN_SHARE;
  let own = sumOfShare(first);
  let upToHere = add64(sumUpTo(localIndex, own), blockTotals[workgroupId.x]);
  var sum = vec2u(upToHere.x - own.x, upToHere.y - own.y - select(0u, 1u, upToHere.x < own.x));
  for (var at = first; at < min(first + SCAN_SHARE, parameters.valueCount); at++) {
    let value = valueAt(at);
    values[at] = saturated(sum);
    if (parameters.areOfOwners != 0u) {
      limitRanks(at);
    }
    sum = add64(sum, vec2u(value, 0u));
  }
  if (workgroupId.x == 0u && localIndex == 0u) {
    values[parameters.valueCount] = saturated(blockTotals[parameters.blockCount]);
  }
}

// Pairs of an owner that were counted after all ranks had been given have none.
fn limitRanks(owner: u32) {
  let counted = values[rowLength() + owner];
  if (counted > MOST_RANKED) {
    values[rowLength() + owner] = MOST_RANKED;
    values[2u * rowLength() + owner] += counted - MOST_RANKED;
  }
}
