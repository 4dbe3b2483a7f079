// Contacts of pairs that MPR decides; the others are left to contacts-gjk.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::contacts::mpr::{contactByMpr};
import package::mpr::{MPR_NORMAL, MPR_RAY};
import package::kernels::contact-records::{storeContact, storeInfo};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether the depth is that at the end of the first ray.
override IS_RAY: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  if (input.isValid) {
    storeContact(index, contactByMpr(input.pair, parameters.margin, select(MPR_NORMAL, MPR_RAY, IS_RAY)));
  } else {
    storeInfo(index, STATUS_INVALID_INPUT);
  }
}
