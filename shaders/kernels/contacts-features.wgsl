// The features that contacts lie on, for contacts by GJK and EPA. contacts-closed stores its own.

import package::shared::pair::{fromWorld};
import package::shared::results::{INFO_HAS_POINTS};
import package::queries::contacts::features::{contactFeatures};
import package::kernels::contact-records::{contactInfo, contactNormal, hasFeatures, storeFeatures};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{pairInSlot, strideOf};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    // Pairs of contacts-closed have their features already.
    if ((contactInfo(index) & INFO_HAS_POINTS) == 0u || hasFeatures(index)) {
      continue;
    }
    let loaded = loadPair(index);
    let normal = fromWorld(loaded.pair, contactNormal(index));
    storeFeatures(index, contactFeatures(loaded.pair, loaded.shapeA, loaded.shapeB, normal));
  }
}
