// The time of each body's first impact.

import package::kernels::earliest::{firstImpacts, loadHit, timeKey};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let hit = loadHit(workgroupId, localIndex);
  if (hit.isHit && !hit.isOpen) {
    let key = timeKey(hit.index);
    atomicMax(&firstImpacts[3u * hit.numbers.x], key);
    atomicMax(&firstImpacts[3u * hit.numbers.y], key);
  }
}
