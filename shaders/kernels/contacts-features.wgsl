// Which feature of either shape each contact lies on: read off the shapes and the normal, whichever algorithm found it.

import package::shared::results::{INFO_HAS_POINTS};
import package::feature::{feature};
import package::kernels::contact-records::{contactInfo, contactNormal, storeFeatures};
import package::kernels::input::{pairIndex, loadInput, NO_PAIR};

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
  // A's, then B's, in a loop: compilers inline every call.
  var shape = input.shapeA;
  var core = input.pair.coreA;
  var direction = normal;
  var features = vec2u(0u);
  for (var side = 0u; side < 2u; side++) {
    features = vec2u(features.y, feature(shape, core, direction));
    shape = input.shapeB;
    core = input.pair.coreB;
    direction = -normal * input.pair.rotation;
  }
  storeFeatures(index, features);
}
