// Penetration depth by EPA on compact polytopes, of the pairs that contacts-gjk left, which are valid. Pairs that are
// not ordinary are left to the next kernel, and so are curved ones whose witness points miss the normal.

import package::kernels::work-lists as package::kernels::list;
import package::queries::contacts::compact-epa::{contactByCompactEpa};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{loadEpaStart, storeUnfinished};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::kernels::append::{appendAlone};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    let found = contactByCompactEpa(loaded.pair, parameters.margin, loadEpaStart(index));
    if (found.isLeft) {
      // The rest of the record stays for the next kernel.
      storeUnfinished(index);
      appendAlone(index, 0u);
    } else {
      storeContact(index, found.contact);
    }
  }
}
