// Sorts the partners of each owner that has few, lists the owners that have many, and counts the pairs: those of the
// bodies up to the first without room for all its pairs.

import package::broad-phase::state::{
  STATE_CANDIDATES, STATE_LONG, STATE_OVERFLOW, STATE_PAIRS, STATE_VERY_LONG
};
import package::kernels::broad-phase::pairs-of-owners::{
  cursors, firstPairOf, foundPairs, longOwners, state, MOST_EXCHANGED
};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};

// Sums of the scan, the last one of all pairs.
@group(0) @binding(2) var<storage, read> blockTotals: array<vec2u>;

// The partners of an owner with more are sorted by a workgroup. Software adapters, on which barriers cost more than
// steps, have more in one invocation.
override MOST_SORTED_ALONE: u32 = 32u;
// Shorter lists are sorted with the gap 1 alone.
const SHORT: u32 = 12u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let owner = invocationIndex(workgroupId, localIndex);
  if (owner >= bodyCount()) {
    return;
  }
  let first = firstPairOf(owner);
  let end = cursors[owner];
  if (end > parameters.pairCapacity) {
    if (first <= parameters.pairCapacity) {
      storeCounts(first);
    }
    return;
  }
  if (owner == bodyCount() - 1u) {
    storeCounts(end);
  }
  if (end - first > MOST_EXCHANGED) {
    longOwners[parameters.bodyCapacity - 1u - atomicAdd(&state[STATE_VERY_LONG], 1u)] = owner;
    return;
  }
  if (end - first > MOST_SORTED_ALONE) {
    longOwners[atomicAdd(&state[STATE_LONG], 1u)] = owner;
    return;
  }
  for (var at = first; at < end; at++) {
    foundPairs[at] = vec2u(owner, foundPairs[at].x);
  }
  // Shell's sort with the gaps of Gonnet, "Handbook of Algorithms and Data Structures" (1984). The last gap is 1.
  for (var gap = gapBelow(end - first); gap > 0u; gap = select(0u, gapBelow(gap), gap > 1u)) {
    for (var at = first + gap; at < end; at++) {
      let partner = foundPairs[at].y;
      var place = at;
      for (; place >= first + gap; place -= gap) {
        let before = foundPairs[place - gap].y;
        if (before < partner) {
          break;
        }
        foundPairs[place].y = before;
      }
      foundPairs[place].y = partner;
    }
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

fn gapBelow(count: u32) -> u32 {
  return select(max(1u, (5u * count - 1u) / 11u), 1u, count < SHORT);
}
