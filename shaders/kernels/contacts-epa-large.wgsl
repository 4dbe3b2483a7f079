// Penetration depth of the pairs whose polytope outgrew contacts-epa: one a workgroup, with memory for a polytope of hundreds of
// vertices. They are few, so that a fixed number of workgroups shares them.

import package::polytope::large as package::polytope::memory;
import package::shared::list::{LIST_HEADER};
import package::queries::contacts::epa::{contactByEpa};
import package::kernels::contact-records::{storeContact, loadPending};
import package::kernels::input::{parameters, list, loadInput, END_CLASS};

const WORKGROUPS: u32 = 1024u;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) workgroupId: vec3u) {
  for (var slot = workgroupId.x; slot < list[END_CLASS]; slot += WORKGROUPS) {
    let index = list[LIST_HEADER + slot];
    let input = loadInput(index);
    let found = contactByEpa(input.pair, parameters.margin, loadPending(index));
    storeContact(index, found.contact);
  }
}
