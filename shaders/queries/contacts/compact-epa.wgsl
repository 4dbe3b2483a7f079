// Contact of an ordinary pair whose cores overlap or touch, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_ARCS, STATUS_NOT_CONVERGED, infoStatus};
import package::queries::pair-unit::{marginInUnits};
import package::queries::contacts::epa-contact::{contactOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::compact-epa::{compactEpa};
import package::epa::search::{EPA_CONVERGED};

// A contact, unless the pair is left to contactByEpa.
struct CompactContact {
  isLeft: bool,
  contact: Contact,
}

fn contactByCompactEpa(pair: Pair, callersMargin: f32, start: EpaStart) -> CompactContact {
  var found: CompactContact;
  // A pair that comes from the arcs lacks the face along its normal.
  if ((start.info & INFO_PENDING_ARCS) != 0u) {
    found.isLeft = true;
    return found;
  }
  let search = compactEpa(pair, start.ids, start.count);
  found.isLeft = search.state != EPA_CONVERGED;
  if (!found.isLeft) {
    found.contact = contactOf(pair, marginInUnits(pair, callersMargin), start, search);
    // Points that miss the normal leave the bounds too far apart: later stages look for better ones.
    found.isLeft = infoStatus(found.contact.info) == STATUS_NOT_CONVERGED;
  }
  return found;
}
