// For `distances`: a pair of parts of each pair of bodies, whose boxes are near each other. Their distance is a bound
// for that of the bodies, and so for the search of all pairs of parts that may be nearer. The kernel goes down the
// trees once, to the nearer child each time. An invocation takes a pair of bodies.

@kernel(probe)
@kernel(planar-probe)

import package::kernels::part-pairs::parameters::{pairEnd, parameters, FIRST_BOUND};
import package::kernels::part-pairs::searched::{Sweep, packed, partNodes};
@if(probe) import package::kernels::part-pairs::searched-pair::{loadSearched};
@if(planar-probe) import package::kernels::planar::searched-pair::{loadSearched};
import package::part-pairs::boxes::{childrenOf, isLeaf, nearness, IS_LEAF};

// The bodies of each pair of parts, and the parts with their kinds.
@group(0) @binding(7) var<storage, read_write> probedParts: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> partPairCount: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let pair = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (pair >= pairEnd()) {
    return;
  }
  let searched = loadSearched(pair, 0.0, Sweep());
  var parts = vec2u(0u);
  var kinds = searched.kinds;
  if (searched.hasParts) {
    var numbers = searched.roots;
    // One level after the other: as many as both trees have.
    for (var level = 0u; level <= parameters.levels; level++) {
      let a = partNodes[numbers.x];
      let b = partNodes[numbers.y];
      if (isLeaf(a) && isLeaf(b)) {
        parts = vec2u(a.link, b.link) & vec2u(~IS_LEAF);
        kinds = vec2u(a.kind, b.kind);
        break;
      }
      let children = childrenOf(numbers, a, b, searched.at);
      let first = nearness(partNodes[children.first.x], partNodes[children.first.y], searched.at);
      let second = nearness(partNodes[children.second.x], partNodes[children.second.y], searched.at);
      let isSecond = second.x < first.x || (second.x == first.x && second.y < first.y);
      numbers = select(children.first, children.second, isSecond);
    }
  }
  probedParts[pair] = vec4u(searched.numbers, packed(parts, kinds));
  // Nothing is to be found for bodies without parts.
  partPairCount[FIRST_BOUND + pair] = bitcast<u32>(select(-1.0, 0.0, searched.hasParts));
}
