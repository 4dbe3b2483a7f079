// Contact of a curved pair whose witness points, after its refinement, miss the normal.

import package::shared::pair::{Pair};
import package::shared::results::{Contact};
import package::queries::pair-unit::{marginInUnits};
import package::queries::contacts::epa-contact::{contactOf};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::refined::{refinedContact};
import package::epa::search::{EpaResult, EPA_CONVERGED};
import package::refine::outside::{lookFromOutside};

// `start` comes from contactByRefinement.
fn contactFromOutside(pair: Pair, callersMargin: f32, start: EpaStart) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  let weights = bitcast<vec2f>(start.ids[3]);
  var search: EpaResult;
  search.state = EPA_CONVERGED;
  search.normal = start.normal;
  search.lower = start.lower;
  search.upper = start.upper;
  search.faceDistance = start.upper;
  search.idA = start.ids[0];
  search.idB = start.ids[1];
  search.idC = start.ids[2];
  search.weights = vec3f(weights, 1.0 - weights.x - weights.y);
  return refinedContact(contactOf(pair, margin, start, lookFromOutside(pair, search), true), margin);
}
