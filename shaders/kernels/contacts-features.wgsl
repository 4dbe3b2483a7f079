// The features that contacts lie on, for contacts by GJK and EPA. contacts-closed and contacts-sat store their own.

import package::shared::results::{INFO_HAS_POINTS};
import package::queries::contacts::features::{contactFeatures};
import package::kernels::contact-records::{contactInfo, contactNormal, storeFeatures};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  if ((contactInfo(index) & INFO_HAS_POINTS) == 0u) {
    return;
  }
  let loaded = loadPair(index);
  let normal = contactNormal(index) * loaded.pair.rotationA;
  storeFeatures(index, contactFeatures(loaded.pair, loaded.shapeA, loaded.shapeB, normal));
}
