// Contact of a curved pair whose depth EPA left open, from the simplex that GJK left.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact, distanceInfo, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT};
import package::queries::pair-unit::{marginInUnits};
import package::queries::contacts::epa::{contactOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::refine::{refine};

// `start` comes from contactByGjk.
fn contactByRefinement(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, start: EpaStart) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  let search = refine(pair, shapeA, shapeB, start.ids, start.count, start.normal, start.lower);
  var contact = contactOf(pair, margin, start, search.epa);
  if (search.isRefined) {
    // The refinement is an answer, whatever the upper bound is.
    contact.info = distanceInfo(contact.distance, margin, contact.info >> INFO_ITERATIONS_SHIFT) | INFO_HAS_POINTS;
  }
  return contact;
}
