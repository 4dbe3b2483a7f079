// Of these: the lowest pair.

import package::kernels::earliest::{best, isBest, loadHit, projectionKey, timeKey};

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
    if (isBest(body, 0u, time) && isBest(body, 1u, projection)) {
      atomicMax(&best[3u * body + 2u], ~hit.index);
    }
  }
}
