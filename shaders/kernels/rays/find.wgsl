// Finds the bodies that each ray may meet. It runs first to count them and then, with the counts summed, to write them:
// each time those with a place in one part of all pairs. Both runs test the same numbers with the same compiled code,
// so they find the same bodies. In a batch, the second run also stores the number of pairs.

import package::broad-phase::bound::{groupsMeet, ALL_GROUPS};
import package::broad-phase::ray-box::{makeSlabs, meetsBox};
import package::broad-phase::tree::{TreeNode, NO_NODE, TREE_HALFSPACES, TREE_LEAVES};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters};
import package::kernels::rays::rays::{bodyOfRay, cursors, foundPairs, rayCount, rays};
import package::kernels::tree::state::{tree};
import package::shared::results::{COUNTS_CANDIDATES, COUNTS_PAIRS, COUNTS_PAIR_OVERFLOW};

// Of bodies and rays.
@group(0) @binding(8) var<storage, read> groups: array<u32>;
@group(0) @binding(17) var<storage, read> nodes: array<TreeNode>;
// Sums of the scan of `cursors`.
@group(0) @binding(2) var<storage, read> blockTotals: array<vec2u>;
// Batches only.
@group(0) @binding(25) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let number = invocationIndex(workgroupId, localIndex);
  let isWriting = parameters.isWriting != 0u;
  if (parameters.isOfBatch != 0u && isWriting && number == 0u) {
    storeCounts();
  }
  if (number >= rayCount()) {
    return;
  }
  var place = 0u;
  if (isWriting) {
    place = cursors[number];
    let isBefore = cursors[number + 1u] <= parameters.firstPair;
    if (isBefore || place >= parameters.firstPair + parameters.pairCapacity) {
      return;
    }
  }
  let ray = bodyOfRay(number);
  let rayGroups = groupsOf(ray);
  let leafCount = tree[TREE_LEAVES];
  // Half-spaces have no boxes: any ray that can be cast may meet them.
  let halfspaceCount = select(tree[TREE_HALFSPACES], 0u, rays[number].end < 0.0);
  for (var i = 0u; i < halfspaceCount; i++) {
    let body = nodes[parameters.bodyCapacity + leafCount + i].link;
    if (groupsMeet(rayGroups, groupsOf(body))) {
      if (isWriting) {
        store(place, body, ray);
      }
      place++;
    }
  }
  let slabs = makeSlabs(rays[number]);
  var node = select(NO_NODE, select(0u, parameters.bodyCapacity, leafCount == 1u), leafCount > 0u);
  // No node is visited twice.
  for (var i = 0u; i < 2u * leafCount && node != NO_NODE; i++) {
    let box = nodes[node];
    if (!meetsBox(slabs, box.low, box.high)) {
      node = box.rope;
    } else if (node < parameters.bodyCapacity) {
      node = box.link;
    } else {
      if (groupsMeet(rayGroups, groupsOf(box.link))) {
        if (isWriting) {
          store(place, box.link, ray);
        }
        place++;
      }
      node = box.rope;
    }
  }
  if (!isWriting) {
    cursors[number] = place;
  }
}

fn groupsOf(body: u32) -> u32 {
  if (parameters.hasGroups != 0u) {
    return groups[body];
  }
  return ALL_GROUPS;
}

fn store(place: u32, body: u32, ray: u32) {
  let at = place - parameters.firstPair;
  if (at < parameters.pairCapacity) {
    foundPairs[at] = vec2u(body, ray);
  }
}

fn storeCounts() {
  let total = blockTotals[parameters.blockCount];
  let isWide = total.y != 0u;
  let written = select(min(total.x, parameters.pairCapacity), parameters.pairCapacity, isWide);
  let rest = total.x - written;
  counts[COUNTS_PAIRS] = written;
  // Beyond 32 bits, as many as fit.
  counts[COUNTS_PAIR_OVERFLOW] = select(rest, 0xffffffffu, isWide && (total.y > 1u || total.x >= written));
  counts[COUNTS_CANDIDATES] = total.x;
  counts[COUNTS_CANDIDATES + 1u] = total.y;
}
