// What both kernels of refinement make of its result.

import package::shared::results::{
  Contact, distanceInfo, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT, INFO_PENDING_GJK
};
import package::queries::contacts::epa-contact::{upperBoundOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::epa::search::{EpaResult};

// The refinement is an answer, whatever the upper bound is. So is EPA's, with other points.
fn refinedContact(contact: Contact, margin: f32) -> Contact {
  var result = contact;
  result.info = distanceInfo(result.distance, margin, result.info >> INFO_ITERATIONS_SHIFT) | INFO_HAS_POINTS;
  return result;
}

// The last face takes the place of GJK's simplex: two of its weights that of the fourth vertex.
fn startOutside(search: EpaResult, start: EpaStart) -> EpaStart {
  let iterations = (start.info >> INFO_ITERATIONS_SHIFT) + search.iterations;
  return EpaStart(
    search.normal, search.lower, upperBoundOf(start, search), INFO_PENDING_GJK | (iterations << INFO_ITERATIONS_SHIFT),
    array(search.idA, search.idB, search.idC, bitcast<vec2u>(search.weights.xy)), 3u
  );
}
