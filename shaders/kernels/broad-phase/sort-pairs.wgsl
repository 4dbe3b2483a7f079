// Sorts the partners of each owner that has few, in registers; lists the owners that have many; and counts the pairs:
// those of the bodies up to the first without room for all its pairs.

import package::broad-phase::network::{sorted16, sorted32};
import package::broad-phase::state::{
  STATE_CANDIDATES, STATE_LONG, STATE_OVERFLOW, STATE_PAIRS, STATE_VERY_LONG
};
import package::kernels::broad-phase::pairs-of-owners::{
  endOfPairs, firstPairOf, longOwners, state, MOST_EXCHANGED
};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};
import package::kernels::broad-phase::partner-rows::{store16, store32, unsorted16, unsorted32};

// Sums of the scan, the last one of all pairs.
@group(0) @binding(2) var<storage, read> blockTotals: array<vec2u>;

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
  if (count > MOST_EXCHANGED) {
    longOwners[parameters.bodyCapacity - 1u - atomicAdd(&state[STATE_VERY_LONG], 1u)] = owner;
  } else if (count > 32u) {
    longOwners[atomicAdd(&state[STATE_LONG], 1u)] = owner;
  } else if (count > 16u) {
    store32(owner, first, end, sorted32(unsorted32(first, end)));
  } else {
    store16(owner, first, end, sorted16(unsorted16(first, end)));
  }
}

// `written` pairs are those of owners whose pairs are all written.
fn storeCounts(written: u32) {
  let total = blockTotals[parameters.blockCount];
  let rest = total.x - written;
  let isWide = total.y - select(0u, 1u, total.x < written) != 0u;
  atomicStore(&state[STATE_PAIRS], written);
  atomicStore(&state[STATE_OVERFLOW], select(rest, 0xffffffffu, isWide));
  atomicStore(&state[STATE_CANDIDATES], total.x);
  atomicStore(&state[STATE_CANDIDATES + 1u], total.y);
}
