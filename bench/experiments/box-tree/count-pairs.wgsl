// Counts the pairs of boxes that meet, by the tree: each leaf searches the leaves that come after it.

import package::broad-phase::tree::{TreeNode, NO_NODE, TREE_LEAVES};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::tree::state::{tree};

@group(0) @binding(13) var<storage, read_write> cursors: array<u32>;
@group(0) @binding(17) var<storage, read> nodes: array<TreeNode>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let number = invocationIndex(workgroupId, localIndex);
  let leafCount = tree[TREE_LEAVES];
  if (number >= leafCount) {
    return;
  }
  let own = nodes[parameters.bodyCapacity + number];
  var found = 0u;
  var node = own.rope;
  for (var i = 0u; i < 2u * leafCount && node != NO_NODE; i++) {
    let other = nodes[node];
    let isApart = any(other.low > own.high) || any(own.low > other.high);
    if (isApart) {
      node = other.rope;
    } else if (node < parameters.bodyCapacity) {
      node = other.link;
    } else {
      found++;
      node = other.rope;
    }
  }
  cursors[number] = found;
}
