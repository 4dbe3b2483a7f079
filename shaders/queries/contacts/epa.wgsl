// Contact of a pair whose cores overlap or touch, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_ARCS, INFO_ITERATIONS_SHIFT};
import package::shared::support::{isCurvedPair};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::witness::{cornerWitness};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::result::{convergedContact};
import package::epa::{epa, EpaResult, EPA_CONVERGED};
import package::polytope::rank::{ALONG, EVERYWHERE};

// A contact, unless the search left it open.
struct EpaContact {
  isOpen: bool,
  contact: Contact,
}

// `start` comes from contactByGjk or epaStartByArcs. With `hasLaterStage`, an overlapping pair that was not resolved is
// open for a later stage.
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
  return found;
}

// The contact from EPA's result.
fn contactOf(pair: Pair, margin: f32, start: EpaStart, search: EpaResult) -> Contact {
  let iterations = (start.info >> INFO_ITERATIONS_SHIFT) + search.iterations;
  let hasNormal = (start.info & INFO_PENDING_ARCS) != 0u;
  var normal = search.normal;
  var lower = search.lower;
  // For cores that just miss each other, GJK's axis can be better. The normal of the arcs is taken in any case: the
  // points were searched for it.
  if (hasNormal || (search.state != EPA_CONVERGED && start.lower > lower)) {
    normal = start.normal;
    lower = start.lower;
  }
  // A face's height is an upper bound only while the origin is inside, and all faces were searched.
  var upper = select(min(start.upper, search.faceDistance), search.upper, search.upper < 0.0);
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  if (hasNormal) {
    // Points that miss the normal raise the upper bound: each of them by half of the miss.
    upper = max(start.upper, lower + 0.5 * length(cores.onB - cores.onA - normal * lower));
  }
  return convergedContact(pair, normal, lower, max(lower, upper), cores, margin, iterations);
}
