// Penetration depth of the curved pairs that contacts-epa left open: their depth is nearly the same in many directions.
// Pairs whose witness points miss the normal are left to contacts-outside.

import package::kernels::work-lists as package::kernels::list;
import package::polytope::private as package::polytope::memory;
import package::polytope::medium as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::queries::contacts::refine::{contactByRefinement};
import package::kernels::contact-records::{contactRows, storeRows};
import package::kernels::pending-records::{epaStartRows, loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::kernels::append::{appendAlone};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    let found = contactByRefinement(
      loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, loadEpaStart(index)
    );
    var rows = contactRows(found.contact);
    if (found.isOpen) {
      rows = epaStartRows(found.start);
      appendAlone(index, 0u);
    }
    storeRows(index, rows);
  }
}
