// Counts the pairs of boxes that meet, by the tree: each leaf searches the leaves that come after it. As the search in
// the grid does, it tests bodies exactly, counts the pairs of each owner, and keeps partners.

import package::broad-phase::bound::{boxesMeet};
import package::broad-phase::tree::{TreeNode, NO_NODE, TREE_LEAVES};
import package::kernels::broad-phase::bounded::{bounds, positionOf};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::tree::state::{tree};

@group(0) @binding(13) var<storage, read_write> owners: array<atomic<u32>>;
@group(0) @binding(14) var<storage, read_write> partners: array<u32>;
@group(0) @binding(17) var<storage, read> nodes: array<TreeNode>;

// No body of these scenes meets more, except a giant.
const MOST_MET: u32 = 64u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let number = invocationIndex(workgroupId, localIndex);
  let leafCount = tree[TREE_LEAVES];
  if (number >= leafCount) {
    return;
  }
  let own = nodes[parameters.bodyCapacity + number];
  let bound = bounds[own.link];
  let position = positionOf(own.link);
  // Leaves that the search meets come first, so that software adapters, which run all branches, test them apart from it.
  var met = 0u;
  var node = own.rope;
  for (var i = 0u; i < 2u * leafCount && node != NO_NODE; i++) {
    let other = nodes[node];
    let isMet = all(other.low <= own.high) && all(own.low <= other.high);
    let isLeaf = node >= parameters.bodyCapacity;
    if (isMet && isLeaf && met < MOST_MET) {
      partners[met * parameters.bodyCapacity + number] = other.link;
      met++;
    }
    node = select(other.rope, other.link, isMet && !isLeaf);
  }
  var found = 0u;
  var owned = 0u;
  for (var i = 0u; i < met; i++) {
    let other = partners[i * parameters.bodyCapacity + number];
    let otherBound = bounds[other];
    let difference = positionOf(other) - position;
    if (boxesMeet(difference, bound.offset, bound.half, otherBound.offset, otherBound.half)) {
      if (own.link > other) {
        atomicAdd(&owners[parameters.bodyCapacity + other], 1u);
      }
      partners[found * parameters.bodyCapacity + number] = other;
      found++;
      owned += u32(own.link < other);
    }
  }
  atomicStore(&owners[own.link], owned);
}
