// Contact of a pair whose cores overlap or touch, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_ARCS, STATUS_NOT_CONVERGED, infoStatus};
import package::shared::support::{isCurvedPair};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::epa-contact::{contactOf};
import package::epa::{epa};
import package::epa::search::{EPA_CONVERGED};
import package::polytope::rank::{ALONG, EVERYWHERE};

// A contact, unless the search left it open.
struct EpaContact {
  isOpen: bool,
  contact: Contact,
}

// `start` comes from contactByGjk, or from contacts-arcs-points. With `hasLaterStage`, an overlapping pair that was not
// resolved is open for a later stage.
fn contactByEpa(pair: Pair, callersMargin: f32, start: EpaStart, hasLaterStage: bool) -> EpaContact {
  let margin = marginInUnits(pair, callersMargin);
  // A pair that comes from the arcs has its normal. It lacks only the face along the normal, and points on it.
  let hasNormal = (start.info & INFO_PENDING_ARCS) != 0u;
  let search = epa(pair, start.ids, start.count, start.normal, select(EVERYWHERE, ALONG, hasNormal));
  var found: EpaContact;
  let areClose = search.upper - search.lower <= acceptedGap(pair) && !isCurvedPair(pair);
  let isResolved = search.state == EPA_CONVERGED || areClose;
  if (hasLaterStage && !hasNormal && !isResolved && search.upper < 0.0) {
    found.isOpen = true;
    return found;
  }
  found.contact = contactOf(pair, margin, start, search);
  // Rounding may put the origin outside of a polytope that is nearly flat there. Or the witness points miss the normal,
  // which raised the upper bound.
  found.isOpen = hasLaterStage && !hasNormal && isCurvedPair(pair) &&
      infoStatus(found.contact.info) == STATUS_NOT_CONVERGED;
  return found;
}
