// The sorted keys, and what their prefixes say about the tree. Leaves are numbered in the order of the keys.

import package::broad-phase::tree::{NO_NODE, TREE_LEAVES};
import package::kernels::broad-phase::parameters::{parameters};
import package::kernels::tree::state::{tree};

@group(0) @binding(1) var<storage, read> sortedFrom: array<vec2u>;

// Bits that leaf `i` has in common with leaf `i` + `step`: those of the codes, and if these are equal those of the
// numbers too. -1 if there is no such leaf.
fn commonBits(i: u32, step: i32) -> i32 {
  let other = u32(i32(i) + step);
  if (other >= tree[TREE_LEAVES]) {
    return -1;
  }
  let difference = sortedFrom[i].x ^ sortedFrom[other].x;
  return i32(select(32u + countLeadingZeros(i ^ other), countLeadingZeros(difference), difference != 0u));
}

fn leafNode(number: u32) -> u32 {
  return parameters.bodyCapacity + number;
}

// The rope of a node whose last leaf is `last`: the right child of the node that is cut after it.
fn ropeBehind(last: u32) -> u32 {
  let next = last + 1u;
  if (next >= tree[TREE_LEAVES]) {
    return NO_NODE;
  }
  return select(leafNode(next), next, commonBits(next, 1) > commonBits(next, -1));
}
