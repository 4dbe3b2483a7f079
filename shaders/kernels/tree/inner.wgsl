// Makes the inner nodes: the range of a node's leaves and where it is cut by Karras's binary searches, and its box by
// way of blocks. There is one inner node less than leaves.

import package::broad-phase::tree::{TreeNode, BLOCK_LEAVES, TREE_LEAVES};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::tree::prefixes::{commonBits, leafNode, ropeBehind};
import package::kernels::tree::state::{tree};

@group(0) @binding(17) var<storage, read_write> nodes: array<TreeNode>;

struct Box {
  low: vec3f,
  high: vec3f,
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let node = invocationIndex(workgroupId, localIndex);
  if (node + 1u >= tree[TREE_LEAVES]) {
    return;
  }
  // The range extends to the side on which more bits are shared.
  let direction = select(-1, 1, commonBits(node, 1) > commonBits(node, -1));
  let least = commonBits(node, -direction);
  var bound = 2;
  for (var i = 0u; i < 29u && commonBits(node, bound * direction) > least; i++) {
    bound *= 2;
  }
  var length = 0;
  for (var step = bound >> 1u; step > 0; step >>= 1u) {
    length += select(0, step, commonBits(node, (length + step) * direction) > least);
  }
  // The last leaf, seen from this end, that shares more bits than all do.
  let ofAll = commonBits(node, length * direction);
  var cut = 0;
  for (var step = bound; step > 0; step >>= 1u) {
    let further = cut + step;
    cut = select(cut, further, further < length && commonBits(node, further * direction) > ofAll);
  }
  let other = u32(i32(node) + length * direction);
  let first = min(node, other);
  let last = max(node, other);
  let leftEnd = u32(i32(node) + cut * direction + min(direction, 0));
  let left = select(leftEnd, leafNode(leftEnd), leftEnd == first);
  let box = boxOf(first, last + 1u);
  nodes[node] = TreeNode(box.low, left, box.high, ropeBehind(last));
}

// The box of the leaves from `first` up to `end`: at each level, those before the first and after the last whole
// block.
fn boxOf(first: u32, end: u32) -> Box {
  var box = Box(vec3f(3e38), vec3f(-3e38));
  var low = first;
  var high = end;
  var base = parameters.bodyCapacity;
  var room = parameters.bodyCapacity;
  for (var level = 0u; level < 11u && low < high; level++) {
    for (var i = 0u; i < BLOCK_LEAVES && low < high && low % BLOCK_LEAVES != 0u; i++) {
      enclose(&box, base + low);
      low++;
    }
    for (var i = 0u; i < BLOCK_LEAVES && low < high && high % BLOCK_LEAVES != 0u; i++) {
      high--;
      enclose(&box, base + high);
    }
    low /= BLOCK_LEAVES;
    high /= BLOCK_LEAVES;
    base += room;
    room /= BLOCK_LEAVES;
  }
  return box;
}

fn enclose(box: ptr<function, Box>, node: u32) {
  let other = nodes[node];
  (*box).low = min((*box).low, other.low);
  (*box).high = max((*box).high, other.high);
}
