// Copies the listed records one behind the other, a word an invocation.

import package::kernels::records::{parameters, records};

// Their number, then their indices.
@group(0) @binding(2) var<storage, read> list: array<u32>;
@group(0) @binding(3) var<storage, read_write> gathered: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let word = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 256u + localIndex;
  let slot = word / parameters.wordCount;
  if (slot >= list[0]) {
    return;
  }
  gathered[word] = records[list[slot + 1u] * parameters.wordCount + word % parameters.wordCount];
}
