// Copies the listed records to consecutive places, one word per invocation.

import package::kernels::records::{parameters, records, storeDispatch};
import package::shared::results::{COUNTS_HIT_OVERFLOW, LIST_COUNT, LIST_HEADER};

// The hits, in one class.
@group(0) @binding(2) var<storage, read> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> gathered: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let word = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 256u + localIndex;
  let recordCount = min(list[LIST_COUNT], parameters.gatherCapacity);
  if (word == 0u) {
    counts[COUNTS_HIT_OVERFLOW] = list[LIST_COUNT] - recordCount;
    storeDispatch(recordCount);
  }
  let slot = word / parameters.wordCount;
  if (slot >= recordCount) {
    return;
  }
  gathered[word] = records[list[LIST_HEADER + slot] * parameters.wordCount + word % parameters.wordCount];
}
