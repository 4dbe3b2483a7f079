// Penetration depth by EPA of the pairs that contacts-gjk left, which were found valid there; pairs that it does not
// resolve are left to contacts-arcs, curved ones to contacts-refine. What comes back from contacts-arcs ends here.

import package::polytope::private as package::polytope::memory;
import package::polytope::small as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::queries::contacts::epa::{contactByEpa};
import package::shared::support::{isCurvedPair};
import package::kernels::contact-records::{storeContact, loadEpaStart, storeLeft};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, list};
import package::shared::constants::{EPA_WORKERS};
import package::shared::results::{LIST_HEADER};

// Whether contacts-arcs comes after this; without it, pairs of polytopes that are not resolved end NotConverged.
override HAS_ARCS: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var slot = list[parameters.firstClass] + id.x; slot < list[parameters.endClass]; slot += EPA_WORKERS) {
    let index = list[LIST_HEADER + slot];
    let input = loadInput(index);
    let isCurved = isCurvedPair(input.pair);
    let found = contactByEpa(input.pair, parameters.margin, loadEpaStart(index), HAS_ARCS || isCurved);
    if (found.isOpen) {
      // The rest of the record stays for who comes next.
      storeLeft(index, isCurved);
    } else {
      storeContact(index, found.contact);
    }
  }
}
