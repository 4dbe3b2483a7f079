// Writes the pairs of each body with the partners that the search kept.

import package::broad-phase::bound::{NUMBER_BITS, NUMBER_MASK};
import package::broad-phase::sums::{MOST_RANKED};
import package::kernels::broad-phase::load-body::{numberAt};
import package::kernels::broad-phase::owners::{endOfOwner, firstOfOwn, owners, rowLength};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::broad-phase::partners::{firstKeptOf, foundPairs, partners, MOST_KEPT};

@group(0) @binding(11) var<storage, read> buckets: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slot = invocationIndex(workgroupId, localIndex);
  if (slot >= buckets[parameters.bucketCount]) {
    return;
  }
  let number = numberAt(slot);
  // The loop below counts places from `first`: Mesa would unroll one up to min(count, MOST_KEPT), which then takes 1.5
  // times as long.
  let first = firstKeptOf(slot);
  let end = first + min(partners[slot], MOST_KEPT);
  var placeOfOwn = firstOfOwn(number);
  // One bit per kept partner that has no rank. There are few.
  var unranked = 0u;
  for (var at = first; at < end; at++) {
    let kept = partners[at];
    let other = kept & NUMBER_MASK;
    let rank = kept >> NUMBER_BITS;
    let isOwn = other > number;
    let hasRank = isOwn || rank < MOST_RANKED;
    let place = select(atomicLoad(&owners[other]) + rank, placeOfOwn, isOwn);
    placeOfOwn += u32(isOwn);
    unranked |= select(1u << (at - first), 0u, hasRank);
    if (hasRank && place < parameters.pairCapacity) {
      foundPairs[place].x = max(number, other);
    }
  }
  for (; unranked != 0u; unranked &= unranked - 1u) {
    let other = partners[first + firstTrailingBit(unranked)] & NUMBER_MASK;
    // One from the end.
    let place = endOfOwner(other) - atomicSub(&owners[2u * rowLength() + other], 1u);
    if (place < parameters.pairCapacity) {
      foundPairs[place].x = number;
    }
  }
}
