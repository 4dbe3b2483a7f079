// Sorts the partners of owners that have many, up to MOST_EXCHANGED, an owner per workgroup, by a bitonic network
// (Batcher, "Sorting networks and their applications", 1968).

import package::broad-phase::state::{STATE_LONG};
import package::kernels::broad-phase::found-counts::{state};
import package::kernels::broad-phase::pairs-of-owners::{
  endOfPairs, firstPairOf, foundPairs, longOwners, MOST_EXCHANGED
};

var<workgroup> partners: array<u32, MOST_EXCHANGED>;
var<workgroup> task: array<u32, 3>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  if (localIndex == 0u) {
    task[0] = atomicLoad(&state[STATE_LONG]);
  }
  let ownerCount = workgroupUniformLoad(&task[0]);
  for (var i = workgroupId.x; i < ownerCount; i += workgroups.x) {
    let owner = longOwners[i];
    if (localIndex == 0u) {
      task[1] = firstPairOf(owner);
      task[2] = endOfPairs(owner);
    }
    let first = workgroupUniformLoad(&task[1]);
    let count = workgroupUniformLoad(&task[2]) - first;
    // A power of two. What is beyond the partners is greater than all of them.
    let size = 1u << (32u - countLeadingZeros(count - 1u));
    for (var at = localIndex; at < size; at += 256u) {
      var partner = 0xffffffffu;
      if (at < count) {
        partner = foundPairs[first + at].x;
      }
      partners[at] = partner;
    }
    for (var run = 2u; run <= size; run <<= 1u) {
      for (var distance = run >> 1u; distance > 0u; distance >>= 1u) {
        workgroupBarrier();
        exchange(localIndex, size, run, distance);
      }
    }
    workgroupBarrier();
    for (var at = localIndex; at < count; at += 256u) {
      foundPairs[first + at] = vec2u(owner, partners[at]);
    }
    workgroupBarrier();
  }
}

fn exchange(localIndex: u32, size: u32, run: u32, distance: u32) {
  for (var i = localIndex; i < size / 2u; i += 256u) {
    let low = 2u * i - (i & (distance - 1u));
    let a = partners[low];
    let b = partners[low + distance];
    if ((a > b) == ((low & run) == 0u)) {
      partners[low] = b;
      partners[low + distance] = a;
    }
  }
}
