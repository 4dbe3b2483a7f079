// Contacts of box pairs by SAT; those within the margin whose cores are apart are left to contacts-gjk.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::contacts::sat::{contactBySat};
import package::kernels::contact-records::{storeContact, storeInfo};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether anybody asks for features: manifolds have their own.
override HAS_FEATURES: bool = true;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  if (input.isValid) {
    storeContact(index, contactBySat(input.pair, input.shapeA, input.shapeB, parameters.margin, HAS_FEATURES));
  } else {
    storeInfo(index, STATUS_INVALID_INPUT);
  }
}
