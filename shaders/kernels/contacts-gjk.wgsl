// Contacts of pairs whose cores are apart, by GJK. Pairs whose cores overlap are left to contacts-arcs or the kernels
// of EPA, with their simplex.

@kernel(contacts-gjk)        // the pairs that are left are listed by other kernels
@kernel(contacts-gjk-append) // it lists them. Its searches start cold: beside the list there is no room for simplices

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::contacts::gjk::{contactSearch, contactByGjk};
import package::kernels::contact-records::{storeContact, storeInfo, storeEpaStart};
@if(contacts-gjk) import package::kernels::warm-start::{loadGuess, storeGuess};
@if(contacts-gjk-append) import package::gjk::{NO_GUESS};
@if(contacts-gjk-append) import package::kernels::append::{appendPair};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  @if(contacts-gjk-append) var isLeft = false;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    if (loaded.isValid) {
      @if(contacts-gjk) let guess = loadGuess(index, loaded.pair);
      @if(contacts-gjk-append) let guess = NO_GUESS;
      let search = contactSearch(loaded.pair, parameters.margin, guess);
      @if(contacts-gjk) storeGuess(index, loaded.pair, search.simplex);
      let found = contactByGjk(loaded.pair, parameters.margin, search);
      if (found.needsEpa) {
        storeEpaStart(index, found.start);
      } else {
        storeContact(index, found.contact);
      }
      @if(contacts-gjk-append) isLeft = found.needsEpa;
    } else {
      storeInfo(index, STATUS_INVALID_INPUT);
    }
  }
  @if(contacts-gjk-append) appendPair(index, isLeft, localIndex);
}
