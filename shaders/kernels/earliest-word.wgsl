// One word of each body's first impact, among the impacts that have the words before it.

import package::kernels::earliest::{firstImpacts, isFirstImpact, loadHit, projectionKey, timeKey};

// 0: the time, 1: the projection, 2: the pair.
override WORD: u32;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let hit = loadHit(workgroupId, localIndex);
  if (!hit.isHit || hit.isOpen) {
    return;
  }
  let time = timeKey(hit.index);
  var projection = 0u;
  if (WORD > 0u) {
    projection = projectionKey(hit.numbers);
  }
  let key = select(select(~hit.index, projection, WORD == 1u), time, WORD == 0u);
  for (var side = 0u; side < 2u; side++) {
    let body = hit.numbers[side];
    if ((WORD == 0u || isFirstImpact(body, 0u, time)) && (WORD < 2u || isFirstImpact(body, 1u, projection))) {
      atomicMax(&firstImpacts[3u * body + WORD], key);
    }
  }
}
