// Penetration depth by EPA of the pairs that contacts-gjk left, which were found valid there; pairs whose polytope outgrows the
// memory of one invocation are left to contacts-epa-large, curved ones to contacts-refine.

import package::polytope::private as package::polytope::memory;
import package::polytope::small as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::queries::contacts::epa::{contactByEpa};
import package::shared::support::{isCurvedPair};
import package::kernels::contact-records::{storeContact, loadPending, storeOutgrown};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether contacts-epa-large comes after this; without it, pairs that run out of memory end NotConverged.
override HAS_LARGER: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  let isCurved = isCurvedPair(input.pair);
  let found = contactByEpa(input.pair, parameters.margin, loadPending(index), HAS_LARGER || isCurved);
  if (found.isFull) {
    // The rest of the record stays for who comes next.
    storeOutgrown(index, isCurved);
  } else {
    storeContact(index, found.contact);
  }
}
