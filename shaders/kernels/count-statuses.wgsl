// Counts the hits and the statuses of all records by atomic sums, which don't depend on the order of additions. Also
// sizes the caller's next pass for all pairs; gather, which runs later, sizes it for the hits.

import package::kernels::records::{parameters, records, storeDispatch};
import package::shared::constants::{BLOCK_SIZE, PAIRS_PER_INVOCATION};
import package::shared::results::{
  infoStatus, infoIsHit, COUNTS_PAIRS, COUNTS_PAIR_OVERFLOW, COUNTS_HITS, COUNTS_STATUSES
};

const STATUS_COUNT: u32 = 5u;

// Bits of a count up to PAIRS_PER_INVOCATION.
const OWN_BITS: u32 = 5u;
const OWN_MASK: u32 = 31u;

@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>, 9>;

// Counts of one block, two per word: statuses 0 and 1, 2 and 3, 4 and the hits.
var<workgroup> sums: array<atomic<u32>, 3>;

fn half(word: u32, isHigh: bool) -> u32 {
  return select(word & 0xffffu, word >> 16u, isHigh);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION;
  let pairCount = min(parameters.pairCount, parameters.pairCapacity);
  // Counts of the invocation's records, five bits each: statuses 0 to 4 and the hits.
  var own = 0u;
  // The loop has no constant length, because compilers would unroll it.
  for (var index = first; index < min(first + PAIRS_PER_INVOCATION, pairCount); index++) {
    let info = records[index * parameters.wordCount + parameters.infoWord];
    own += 1u << (OWN_BITS * min(infoStatus(info), STATUS_COUNT - 1u));
    own += select(0u, 1u << (OWN_BITS * STATUS_COUNT), infoIsHit(info));
  }
  for (var pair = 0u; pair < 3u; pair++) {
    let both = own >> (2u * OWN_BITS * pair);
    atomicAdd(&sums[pair], (both & OWN_MASK) | (((both >> OWN_BITS) & OWN_MASK) << 16u));
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    let sum = vec3u(atomicLoad(&sums[0]), atomicLoad(&sums[1]), atomicLoad(&sums[2]));
    for (var status = 0u; status < STATUS_COUNT; status++) {
      atomicAdd(&counts[COUNTS_STATUSES + status], half(sum[status >> 1u], (status & 1u) == 1u));
    }
    atomicAdd(&counts[COUNTS_HITS], half(sum.z, true));
    if (blockIndex == 0u) {
      atomicStore(&counts[COUNTS_PAIRS], pairCount);
      atomicStore(&counts[COUNTS_PAIR_OVERFLOW], parameters.pairCount - pairCount);
      storeDispatch(pairCount);
    }
  }
}
