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

// `start` is what contactByGjk or epaStartByArcs left. With `goesOn` an overlapping pair that was not resolved is left
// open.
fn contactByEpa(pair: Pair, callersMargin: f32, start: EpaStart, goesOn: bool) -> EpaContact {
  let margin = marginInUnits(pair, callersMargin);
  // Of a pair that comes from the arcs only the face along its normal is not known yet, and points on it.
  let hasNormal = (start.info & INFO_PENDING_ARCS) != 0u;
  let search = epa(pair, start.ids, start.count, start.normal, select(EVERYWHERE, ALONG, hasNormal));
  var found: EpaContact;
  let areClose = search.upper - search.lower <= acceptedGap(pair) && !isCurvedPair(pair);
  let isResolved = search.state == EPA_CONVERGED || areClose;
  if (goesOn && !hasNormal && !isResolved && search.upper < 0.0) {
    found.isOpen = true;
    return found;
  }
  found.contact = contactOf(pair, margin, start, search);
  return found;
}

// The contact that EPA's result makes.
fn contactOf(pair: Pair, margin: f32, start: EpaStart, search: EpaResult) -> Contact {
  let iterations = (start.info >> INFO_ITERATIONS_SHIFT) + search.iterations;
  let hasNormal = (start.info & INFO_PENDING_ARCS) != 0u;
  var normal = search.normal;
  var lower = search.lower;
  // Cores that just miss each other: GJK's axis can be the better one. That of the arcs is the one that the points are
  // for.
  if (hasNormal || (search.state != EPA_CONVERGED && start.lower > lower)) {
    normal = start.normal;
    lower = start.lower;
  }
  // A face's height is an upper bound only while the origin is inside, and all faces were searched.
  var upper = select(min(start.upper, search.faceDistance), search.upper, search.upper < 0.0);
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  if (hasNormal) {
    // Points that miss the normal are none of an answer; what is missed is shared by both.
    upper = max(start.upper, lower + 0.5 * length(cores.onB - cores.onA - normal * lower));
  }
  return convergedContact(pair, normal, lower, max(lower, upper), cores, margin, iterations);
}
