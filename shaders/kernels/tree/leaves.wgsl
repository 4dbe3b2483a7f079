// Makes the leaves, and after them those of half-spaces, which have no boxes.

import package::broad-phase::tree::{TreeNode, KEY_HALFSPACE, PLACE_SLACK, TREE_ORIGIN};
import package::kernels::broad-phase::bounded::{bounds};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};
import package::kernels::tree::centres::{centreOf};
import package::kernels::tree::prefixes::{leafNode, ropeBehind, sortedFrom};
import package::kernels::tree::state::{tree};

@group(0) @binding(17) var<storage, read_write> nodes: array<TreeNode>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let number = invocationIndex(workgroupId, localIndex);
  if (number >= bodyCount()) {
    return;
  }
  let entry = sortedFrom[number];
  if (entry.x >= KEY_HALFSPACE) {
    nodes[leafNode(number)].link = entry.y;
    return;
  }
  let bound = bounds[entry.y];
  let place = centreOf(entry.y, bound, tree[TREE_ORIGIN]);
  let half = bound.half + PLACE_SLACK * (abs(place) + bound.half);
  nodes[leafNode(number)] = TreeNode(place - half, entry.y, place + half, ropeBehind(number));
}
