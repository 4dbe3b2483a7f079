// Contacts of pairs whose cores are apart, by GJK. Pairs whose cores overlap are left to contacts-arcs or the kernels
// of EPA, with their simplex.

import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{Contact, INFO_HAS_POINTS, STATUS_INVALID_INPUT};
import package::arcs::few-facets::{haveFewFacets, MOST_FACETS, NO_LIMIT};
import package::arcs::gauss-map::{gaussMapOf};
import package::queries::contacts::epa-start::{haveArcs};
import package::queries::contacts::gjk::{contactSearch, contactByGjk};
import package::kernels::contact-records::{contactRows, storeRows};
import package::kernels::pending-records::{epaStartRows};
import package::kernels::warm-start::{loadGuess, storeGuess};
import package::kernels::append::{appendTogether, countWordOf, NO_LIST};
import package::kernels::load-pair::{LoadedPair, loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// The lists that it appends to: pairs for contacts-arcs, pairs for EPA, and contacts with points.
const TO_ARCS: u32 = 0u;
const TO_EPA: u32 = 1u;
const TO_NEAR: u32 = 2u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var toList = NO_LIST;
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
        toList = select(TO_EPA, TO_ARCS, countWordOf(TO_ARCS) != 0u && areForArcs(loaded));
      } else {
        rows = contactRows(found.contact);
        toList = select(NO_LIST, TO_NEAR, (found.contact.info & INFO_HAS_POINTS) != 0u);
      }
    }
    storeRows(index, rows);
  }
  appendTogether(index, toList, localIndex);
}

// Whether the arcs' search takes a pair. Without a limit of facets it takes all pairs of polytopes.
fn areForArcs(loaded: LoadedPair) -> bool {
  if (!haveArcs(loaded.pair)) {
    return false;
  }
  if (MOST_FACETS == NO_LIMIT) {
    return true;
  }
  return haveFewFacets(
    gaussMapOf(loaded.shapeA, loaded.pair.coreA), gaussMapOf(loaded.shapeB, loaded.pair.coreB)
  );
}
