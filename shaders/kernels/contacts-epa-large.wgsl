// Penetration depth of the pairs whose polytope outgrew contacts-epa. They are few, so that a fixed number of workers shares them,
// each with memory for a polytope of hundreds of vertices.

import package::polytope::large as package::polytope::memory;
import package::polytope::large as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::shared::results::{LIST_HEADER};
import package::polytope::memory::{scratch, worker, setWords, SET_WORDS};
import package::shared::constants::{EPA_LARGE_WORKERS};
import package::queries::contacts::epa::{contactByEpa};
import package::kernels::contact-records::{storeContact, loadPending};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, list};

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  worker = id.x;
  setWords = min(SET_WORDS, arrayLength(&scratch));
  for (var slot = id.x; slot < list[parameters.endClass]; slot += EPA_LARGE_WORKERS) {
    let index = list[LIST_HEADER + slot];
    let input = loadInput(index);
    let found = contactByEpa(input.pair, parameters.margin, loadPending(index), false);
    storeContact(index, found.contact);
  }
}
