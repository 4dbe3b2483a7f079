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
  var words = vec3u(timeKey(hit.index), 0u, ~hit.index);
  if (WORD > 0u) {
    words.y = projectionKey(hit.numbers);
  }
  for (var side = 0u; side < 2u; side++) {
    let body = hit.numbers[side];
    if ((WORD < 1u || isFirstImpact(body, 0u, words.x)) && (WORD < 2u || isFirstImpact(body, 1u, words.y))) {
      atomicMax(&firstImpacts[3u * body + WORD], words[WORD]);
    }
  }
}
