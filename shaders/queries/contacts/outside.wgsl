// Contact of a curved pair whose witness points, after its refinement, miss the normal.

import package::shared::curved::{ellipsoidBall};
import package::shared::pair::{Pair};
import package::shared::results::{Contact};
import package::shared::shapes::{Core, CORE_ELLIPSOID};
import package::queries::pair-unit::{marginInUnits};
import package::queries::surface::{Surface};
import package::queries::witness::{cornerWitness};
import package::queries::contacts::epa-contact::{contactAt};
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
  search = lookFromOutside(pair, search);
  let found = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  let cores = sharedByRoundness(pair, search.normal, found);
  return refinedContact(contactAt(pair, margin, start, search, cores), margin);
}

// Moves the points of both cores so that the rounder body takes more of their offset across the normal: a point that
// slides on a ball hardly leaves its surface, but one on a rim or a vertex does.
fn sharedByRoundness(pair: Pair, normal: vec3f, cores: Surface) -> Surface {
  let apart = cores.onB - cores.onA;
  let ofA = roundness(pair.coreA);
  let ofBoth = ofA + roundness(pair.coreB);
  let share = select(0.0, ofA / max(ofBoth, 1e-30) - 0.5, ofBoth > 0.0);
  let shift = (apart - normal * dot(apart, normal)) * share;
  return Surface(cores.onA + shift, cores.onB + shift);
}

// The least radius of curvature of an ellipsoid; 0 for other cores.
fn roundness(core: Core) -> f32 {
  return select(0.0, ellipsoidBall(core.halfExtents), core.kind == CORE_ELLIPSOID);
}
