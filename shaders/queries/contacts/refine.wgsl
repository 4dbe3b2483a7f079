// Contact of a curved pair whose depth EPA left open, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact, distanceInfo, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT};
import package::queries::units::{marginInUnits};
import package::queries::contacts::epa::{contactOf};
import package::queries::contacts::pending::{Pending};
import package::refine::{refine};

// `pending` is what contactByGjk left.
fn contactByRefinement(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, pending: Pending) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  let search = refine(pair, shapeA, shapeB, pending.ids, pending.count, pending.normal, pending.lower);
  var contact = contactOf(pair, margin, pending, search.epa);
  if (search.isRefined) {
    // An answer, however far off the upper bound is.
    contact.info = distanceInfo(contact.distance, margin, contact.info >> INFO_ITERATIONS_SHIFT) | INFO_HAS_POINTS;
  }
  return contact;
}
