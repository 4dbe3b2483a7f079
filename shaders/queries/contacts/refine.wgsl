// Contact of a curved pair whose depth or witness points EPA left open, from the simplex that GJK left. Where the
// witness points miss the normal, they are looked for from outside.

import package::shared::constants::{REFINE_MISS};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact};
import package::queries::pair-unit::{marginInUnits};
import package::queries::contacts::epa-contact::{contactOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::refined::{refinedContact, startOutside};
import package::epa::search::{EPA_CONVERGED};
import package::refine::{refine};
import package::refine::miss::{missOf};

// A contact, unless the search left it open: then what `contactFromOutside` starts from.
struct RefinedContact {
  isOpen: bool,
  contact: Contact,
  start: EpaStart,
}

// `start` comes from contactByGjk.
fn contactByRefinement(
  pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, start: EpaStart
) -> RefinedContact {
  let margin = marginInUnits(pair, callersMargin);
  let search = refine(pair, shapeA, shapeB, start.ids, start.count, start.normal, start.lower);
  var found: RefinedContact;
  found.isOpen = search.epa.state == EPA_CONVERGED && missOf(pair, search.epa) > REFINE_MISS;
  if (found.isOpen) {
    found.start = startOutside(search.epa, start);
    return found;
  }
  found.contact = contactOf(pair, margin, start, search.epa);
  if (search.isRefined) {
    found.contact = refinedContact(found.contact, margin);
  }
  return found;
}
