// Sorts the partners of owners that have many, up to MOST_TOGETHER, an owner per workgroup. A partner's place is the
// number of lower partners. This takes more comparisons than a sorting network, but only two barriers, which are slow
// on software adapters. It also compiles much faster.

import package::broad-phase::state::{STATE_LONG};
import package::kernels::broad-phase::pairs-of-owners::{endOfPairs, firstPairOf, foundPairs, MOST_TOGETHER};
import package::kernels::broad-phase::partner-rows::{unsorted4};

// As sort-pairs leaves them. Read-only, so that loads from them are uniform and the loop may contain barriers.
@group(0) @binding(6) var<storage, read> state: array<u32>;
@group(0) @binding(26) var<storage, read> listedOwners: array<u32>;

// In rows of four. After the last one: NO_PARTNER.
var<workgroup> partners: array<vec4u, MOST_TOGETHER / 4u>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  for (var i = workgroupId.x; i < state[STATE_LONG]; i += workgroups.x) {
    let owner = listedOwners[i];
    let pairs = vec2u(firstPairOf(owner), endOfPairs(owner));
    let rowCount = (pairs.y - pairs.x + 3u) / 4u;
    for (var row = localIndex; row < rowCount; row += 64u) {
      partners[row] = unsorted4(pairs.x + 4u * row, pairs.y);
    }
    // What is loaded here is overwritten below.
    storageBarrier();
    workgroupBarrier();
    for (var row = localIndex; row < rowCount; row += 64u) {
      storeRow(owner, pairs, partners[row], rowCount);
    }
    workgroupBarrier();
  }
}

fn storeRow(owner: u32, pairs: vec2u, row: vec4u, rowCount: u32) {
  var places = vec4u(pairs.x);
  for (var i = 0u; i < rowCount; i++) {
    let others = partners[i];
    places += vec4u(row > others.xxxx) + vec4u(row > others.yyyy) + vec4u(row > others.zzzz) +
        vec4u(row > others.wwww);
  }
  for (var i = 0u; i < 4u; i++) {
    // Those after the last partner are greater than all partners.
    if (places[i] < pairs.y) {
      foundPairs[places[i]] = vec2u(owner, row[i]);
    }
  }
}
