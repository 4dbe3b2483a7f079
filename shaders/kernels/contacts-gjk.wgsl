// Contacts of pairs whose cores are apart, by GJK. Pairs whose cores overlap are left to contacts-arcs or the kernels
// of EPA, with their simplex.

@kernel(contacts-gjk)        // the pairs that are left are listed by other kernels
@kernel(contacts-gjk-append) // it lists them: those for arcs, those for EPA, and contacts with points

@if(contacts-gjk) import package::kernels::list as package::kernels::list;
@if(contacts-gjk-append) import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{Contact, STATUS_INVALID_INPUT};
@if(contacts-gjk-append) import package::shared::results::{INFO_HAS_POINTS};
import package::queries::contacts::gjk::{contactSearch, contactByGjk};
@if(contacts-gjk-append) import package::queries::contacts::gjk::{haveArcs};
import package::kernels::contact-records::{contactRows, storeRows};
import package::kernels::pending-records::{epaStartRows};
import package::kernels::warm-start::{loadGuess, storeGuess};
@if(contacts-gjk-append) import package::kernels::append::{appendTogether, countWordOf, NO_LIST};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  @if(contacts-gjk-append) var toList = NO_LIST;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    var invalid: Contact;
    invalid.info = STATUS_INVALID_INPUT;
    var rows = contactRows(invalid);
    if (loaded.isValid) {
      let search = contactSearch(loaded.pair, parameters.margin, loadGuess(index, loaded.pair));
      storeGuess(index, loaded.pair, search.simplex);
      let found = contactByGjk(loaded.pair, parameters.margin, search);
      if (found.needsEpa) {
        rows = epaStartRows(found.start);
        @if(contacts-gjk-append) let isForArcs = haveArcs(loaded.pair) && countWordOf(0u) != 0u;
        @if(contacts-gjk-append) toList = select(1u, 0u, isForArcs);
      } else {
        rows = contactRows(found.contact);
        @if(contacts-gjk-append) toList = select(NO_LIST, 2u, (found.contact.info & INFO_HAS_POINTS) != 0u);
      }
    }
    storeRows(index, rows);
  }
  @if(contacts-gjk-append) appendTogether(index, toList, localIndex);
}
