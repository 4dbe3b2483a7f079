// Sorts the partners of each owner that has few, in registers; lists the owners that have many; and counts the pairs:
// those of the bodies up to the first without room for all its pairs.

import package::broad-phase::network::{merged16, sorted16};
import package::broad-phase::state::{STATE_LONG, STATE_VERY_LONG};
import package::kernels::broad-phase::found-counts::{state, storeCounts};
import package::kernels::broad-phase::pairs-of-owners::{endOfPairs, firstPairOf, longOwners, MOST_TOGETHER};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};
import package::kernels::broad-phase::partner-rows::{store16, store32, unsorted16};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let owner = invocationIndex(workgroupId, localIndex);
  if (owner >= bodyCount()) {
    return;
  }
  let first = firstPairOf(owner);
  let end = endOfPairs(owner);
  if (end > parameters.pairCapacity) {
    if (first <= parameters.pairCapacity) {
      storeCounts(first);
    }
    return;
  }
  if (owner == bodyCount() - 1u) {
    storeCounts(end);
  }
  let count = end - first;
  if (count > MOST_TOGETHER) {
    longOwners[parameters.bodyCapacity - 1u - atomicAdd(&state[STATE_VERY_LONG], 1u)] = owner;
  } else if (count > 32u) {
    longOwners[atomicAdd(&state[STATE_LONG], 1u)] = owner;
  } else {
    let least = sorted16(unsorted16(first, end));
    if (count > 16u) {
      store32(owner, first, end, merged16(least, sorted16(unsorted16(first + 16u, end))));
    } else {
      store16(owner, first, end, least);
    }
  }
}
