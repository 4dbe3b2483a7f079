// Penetration depth of the curved pairs that contacts-epa left open: their depth is nearly the same in many directions.

import package::polytope::private as package::polytope::memory;
import package::polytope::medium as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::queries::contacts::refine::{contactByRefinement};
import package::kernels::contact-records::{storeContact, loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let loaded = loadPair(index);
  storeContact(
    index, contactByRefinement(loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, loadEpaStart(index))
  );
}
