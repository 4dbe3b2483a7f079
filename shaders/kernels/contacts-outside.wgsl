// Witness points of the curved pairs that contacts-refine left.

import package::queries::contacts::outside::{contactFromOutside};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    storeContact(index, contactFromOutside(loaded.pair, parameters.margin, loadEpaStart(index)));
  }
}
