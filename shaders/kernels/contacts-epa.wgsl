// Penetration depth by EPA of the pairs that contacts-gjk left, which are valid. Pairs that EPA does not resolve are
// left to contacts-arcs, or, if they are curved, to contacts-refine. Pairs that come back from contacts-arcs end here.

import package::kernels::work-lists as package::kernels::list;
import package::polytope::private as package::polytope::memory;
import package::polytope::small as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::queries::contacts::epa::{contactByEpa};
import package::queries::contacts::epa-start::{haveArcs};
import package::shared::support::{isCurvedPair};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{loadEpaStart, storeLeft};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::kernels::append::{appendAlone};

// Whether contacts-arcs follows. If not, unresolved pairs of polytopes end with the status NotConverged.
override HAS_ARCS: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    let isCurved = isCurvedPair(loaded.pair);
    let keepsOpen = (HAS_ARCS && haveArcs(loaded.pair)) || isCurved;
    let found = contactByEpa(loaded.pair, parameters.margin, loadEpaStart(index), keepsOpen);
    if (found.isOpen) {
      // The rest of the record stays for the next stage.
      storeLeft(index, isCurved);
      appendAlone(index, select(0u, 1u, isCurved));
    } else {
      storeContact(index, found.contact);
    }
  }
}
