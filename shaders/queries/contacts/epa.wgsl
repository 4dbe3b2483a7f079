// Contact of a pair whose cores overlap or touch, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_ITERATIONS_SHIFT};
import package::shared::support::{isCurvedPair};
import package::queries::units::{marginInUnits};
import package::queries::witness::{cornerWitness};
import package::queries::contacts::pending::{Pending};
import package::queries::contacts::result::{metContact};
import package::epa::{epa, EpaResult, EPA_CONVERGED, EPA_FULL};
import package::polytope::rank::{EVERYWHERE};

// A contact, unless the polytope outgrew its memory.
struct EpaContact {
  isFull: bool,
  contact: Contact,
}

// `pending` is what contactByGjk left. With `hasLarger` a pair whose polytope outgrew its memory is left to a larger one.
fn contactByEpa(pair: Pair, callersMargin: f32, pending: Pending, hasLarger: bool) -> EpaContact {
  let margin = marginInUnits(pair, callersMargin);
  let search = epa(pair, pending.ids, pending.count, pending.normal, EVERYWHERE);
  var found: EpaContact;
  // Of curved pairs whatever did not converge.
  if (hasLarger && (search.state == EPA_FULL || (search.state != EPA_CONVERGED && search.upper < 0.0 && isCurvedPair(pair)))) {
    found.isFull = true;
    return found;
  }
  found.contact = contactOf(pair, margin, pending, search);
  return found;
}

// The contact that EPA's result makes.
fn contactOf(pair: Pair, margin: f32, pending: Pending, search: EpaResult) -> Contact {
  let iterations = (pending.info >> INFO_ITERATIONS_SHIFT) + search.iterations;
  var normal = search.normal;
  var lower = search.lower;
  // Cores that just miss each other: GJK's axis can be the better one.
  if (search.state != EPA_CONVERGED && pending.lower > lower) {
    normal = pending.normal;
    lower = pending.lower;
  }
  // A face's height is an upper bound only while the origin is inside.
  let upper = select(min(pending.upper, search.faceDistance), search.upper, search.upper < 0.0);
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  return metContact(pair, normal, lower, max(lower, upper), cores, margin, iterations);
}
