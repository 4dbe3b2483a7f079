// Makes the boxes of one level of blocks. Level 1 has the boxes of BLOCK_LEAVES leaves. Only blocks that are full are
// read.

import package::broad-phase::tree::{TreeNode, BLOCK_LEAVES, TREE_LEAVES};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::tree::state::{tree};

@group(0) @binding(17) var<storage, read_write> nodes: array<TreeNode>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let number = invocationIndex(workgroupId, localIndex);
  // Where the boxes of the level below begin, how many it has, and how many there is room for.
  var base = parameters.bodyCapacity;
  var count = tree[TREE_LEAVES];
  var room = parameters.bodyCapacity;
  for (var level = 1u; level < parameters.step; level++) {
    base += room;
    count /= BLOCK_LEAVES;
    room = room / BLOCK_LEAVES;
  }
  if (number >= count / BLOCK_LEAVES) {
    return;
  }
  var box = nodes[base + BLOCK_LEAVES * number];
  for (var i = 1u; i < BLOCK_LEAVES; i++) {
    let other = nodes[base + BLOCK_LEAVES * number + i];
    box.low = min(box.low, other.low);
    box.high = max(box.high, other.high);
  }
  nodes[base + room + number] = box;
}
