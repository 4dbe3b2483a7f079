// Counts the statuses of all records. Sums don't depend on the order in which they are made.

import package::kernels::records::{parameters, infoOf, BLOCK_SIZE, RECORDS_PER_INVOCATION};
import package::shared::results::{INFO_STATUS_MASK};

const STATUS_COUNT: u32 = 5u;

@group(0) @binding(2) var<storage, read_write> tallies: array<atomic<u32>, STATUS_COUNT>;

var<workgroup> blockTallies: array<atomic<u32>, STATUS_COUNT>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = (workgroupId.y * parameters.gridWidth + workgroupId.x) * BLOCK_SIZE + localIndex * RECORDS_PER_INVOCATION;
  for (var i = first; i < min(first + RECORDS_PER_INVOCATION, parameters.recordCount); i++) {
    atomicAdd(&blockTallies[min(infoOf(i) & INFO_STATUS_MASK, STATUS_COUNT - 1u)], 1u);
  }
  workgroupBarrier();
  if (localIndex < STATUS_COUNT) {
    atomicAdd(&tallies[localIndex], atomicLoad(&blockTallies[localIndex]));
  }
}
