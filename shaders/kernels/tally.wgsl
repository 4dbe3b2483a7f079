// Counts the hits and the statuses of all records. Sums don't depend on the order in which they are made.

import package::kernels::records::{parameters, records};
import package::shared::list::{BLOCK_SIZE, PAIRS_PER_INVOCATION};
import package::shared::results::{
  INFO_STATUS_MASK, INFO_HIT, COUNTS_PAIRS, COUNTS_PAIR_OVERFLOW, COUNTS_HITS, COUNTS_STATUSES
};

const STATUS_COUNT: u32 = 5u;

@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>, 9>;

// The statuses, then the hits.
var<workgroup> tallies: array<atomic<u32>, 6>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let blockIndex = workgroupId.y * parameters.gridWidth + workgroupId.x;
  let first = blockIndex * BLOCK_SIZE + localIndex * PAIRS_PER_INVOCATION;
  let pairCount = min(parameters.pairCount, parameters.pairCapacity);
  for (var i = first; i < min(first + PAIRS_PER_INVOCATION, pairCount); i++) {
    let info = records[i * parameters.wordCount + parameters.infoWord];
    atomicAdd(&tallies[min(info & INFO_STATUS_MASK, STATUS_COUNT - 1u)], 1u);
    if ((info & INFO_HIT) != 0u) {
      atomicAdd(&tallies[STATUS_COUNT], 1u);
    }
  }
  workgroupBarrier();
  if (localIndex < STATUS_COUNT) {
    atomicAdd(&counts[COUNTS_STATUSES + localIndex], atomicLoad(&tallies[localIndex]));
  } else if (localIndex == STATUS_COUNT) {
    atomicAdd(&counts[COUNTS_HITS], atomicLoad(&tallies[STATUS_COUNT]));
  }
  if (blockIndex == 0u && localIndex == 0u) {
    atomicStore(&counts[COUNTS_PAIRS], pairCount);
    atomicStore(&counts[COUNTS_PAIR_OVERFLOW], parameters.pairCount - pairCount);
  }
}
