// Which feature of either shape each contact lies on, for contacts by GJK and EPA; contacts-sat has given its own
// already.

import package::shared::results::{INFO_HAS_POINTS};
import package::queries::contacts::features::{contactFeatures};
import package::kernels::contact-records::{contactInfo, contactNormal, storeFeatures};
import package::kernels::input::{loadInput};
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
  let input = loadInput(index);
  let normal = contactNormal(index) * input.pair.rotationA;
  storeFeatures(index, contactFeatures(input.pair, input.shapeA, input.shapeB, normal));
}
