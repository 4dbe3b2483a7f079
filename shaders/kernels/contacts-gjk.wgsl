// Contacts of pairs whose cores are apart, by GJK. Pairs whose cores overlap are left to contacts-epa, with their
// simplex.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::contacts::gjk::{contactSearch, contactByGjk};
import package::kernels::contact-records::{storeContact, storeInfo, storeEpaStart};
import package::kernels::warm-start::{loadGuess, storeGuess};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let loaded = loadPair(index);
  if (!loaded.isValid) {
    storeInfo(index, STATUS_INVALID_INPUT);
    return;
  }
  let search = contactSearch(loaded.pair, parameters.margin, loadGuess(index, loaded.pair));
  storeGuess(index, loaded.pair, search.simplex);
  let found = contactByGjk(loaded.pair, parameters.margin, search);
  if (found.needsEpa) {
    storeEpaStart(index, found.start);
  } else {
    storeContact(index, found.contact);
  }
}
