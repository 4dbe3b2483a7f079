// Writes the pairs of each body with the partners that the search kept.

import package::broad-phase::bound::{bodyNumber, GridBody};
import package::kernels::broad-phase::owners::{firstOfOwn, owners, rowLength, MOST_RANKED};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::broad-phase::partners::{
  foundPairs, partners, FIRST_KEPT, MOST_KEPT, NUMBER_BITS, NUMBER_MASK
};

@group(0) @binding(11) var<storage, read> buckets: array<u32>;
@group(0) @binding(12) var<storage, read> sorted: array<GridBody>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slot = invocationIndex(workgroupId, localIndex);
  if (slot >= buckets[parameters.bucketCount]) {
    return;
  }
  let number = bodyNumber(sorted[slot]);
  let end = FIRST_KEPT + min(partners[slot], MOST_KEPT);
  var placeOfOwn = firstOfOwn(number);
  for (var i = FIRST_KEPT; i < end; i++) {
    let kept = partners[i * parameters.bodyCapacity + slot];
    let other = kept & NUMBER_MASK;
    let rank = kept >> NUMBER_BITS;
    var place = placeOfOwn;
    if (other < number) {
      // Without a rank, the place is one from the end.
      let hasRank = rank < MOST_RANKED;
      place = atomicLoad(&owners[other + select(1u, 0u, hasRank)]) + rank;
      if (!hasRank) {
        place -= rank + atomicSub(&owners[2u * rowLength() + other], 1u);
      }
    } else {
      placeOfOwn++;
    }
    if (place < parameters.pairCapacity) {
      foundPairs[place].x = max(number, other);
    }
  }
}
