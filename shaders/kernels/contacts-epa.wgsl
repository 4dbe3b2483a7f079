// Penetration depth by EPA of the pairs that contacts-gjk left. They were found valid there.

import package::queries::contacts::epa::{contactByEpa};
import package::kernels::contact-records::{storeContact, loadPending};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  storeContact(index, contactByEpa(input.pair, parameters.margin, loadPending(index)));
}
