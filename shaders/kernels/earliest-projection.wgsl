// The projection of each body's first impact: how far the least far of the other bodies is ahead, at that time.

import package::kernels::earliest::{firstImpacts, isFirstImpact, loadHit, projectionKey, timeKey};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let hit = loadHit(workgroupId, localIndex);
  if (!hit.isHit) {
    return;
  }
  let time = timeKey(hit.index);
  let key = projectionKey(hit.numbers);
  for (var side = 0u; side < 2u; side++) {
    let body = hit.numbers[side];
    if (isFirstImpact(body, 0u, time)) {
      atomicMax(&firstImpacts[3u * body + 1u], key);
    }
  }
}
