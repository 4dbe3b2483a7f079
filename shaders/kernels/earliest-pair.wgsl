// The lowest pair of each body's impacts with that time and that projection.

import package::kernels::earliest::{firstImpacts, isFirstImpact, loadHit, projectionKey, timeKey};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let hit = loadHit(workgroupId, localIndex);
  if (!hit.isHit) {
    return;
  }
  let time = timeKey(hit.index);
  let projection = projectionKey(hit.numbers);
  for (var side = 0u; side < 2u; side++) {
    let body = hit.numbers[side];
    if (isFirstImpact(body, 0u, time) && isFirstImpact(body, 1u, projection)) {
      atomicMax(&firstImpacts[3u * body + 2u], ~hit.index);
    }
  }
}
