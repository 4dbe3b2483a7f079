// Stores the owner in the pairs of owners that have more than a workgroup sorts. A task of a workgroup is as many pairs
// as a range has bodies.

import package::broad-phase::state::{STATE_VERY_LONG};
import package::kernels::broad-phase::found-counts::{state};
import package::kernels::broad-phase::pairs-of-owners::{
  endOfPairs, firstPairOf, foundPairs, rangeCount, taskOf, RANGE
};

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let count = atomicLoad(&state[STATE_VERY_LONG]) * rangeCount();
  for (var i = workgroupId.x; i < count; i += workgroups.x) {
    let task = taskOf(i);
    let first = firstPairOf(task.owner) + task.range * RANGE;
    let end = min(first + RANGE, endOfPairs(task.owner));
    for (var at = first + localIndex; at < end; at += 256u) {
      foundPairs[at].x = task.owner;
    }
  }
}
