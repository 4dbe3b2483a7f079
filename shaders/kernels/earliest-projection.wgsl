// Of each body's impacts at that time: how far the least far body is ahead.

import package::kernels::earliest::{best, isBest, loadHit, projectionKey, timeKey};

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
    if (isBest(body, 0u, time)) {
      atomicMax(&best[3u * body + 1u], key);
    }
  }
}
