// Contact of a curved pair whose witness points, after its refinement, miss the normal.

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
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  let points = sharedByRoundness(pair, search.normal, cores);
  return refinedContact(contactAt(pair, margin, start, search, points, 1e30), margin);
}

// Points of two cores, moved so that what is aside of the normal between them goes to both by their roundness: a point
// hardly leaves the surface of a ball where it moves aside, but that of a rim or a vertex does.
fn sharedByRoundness(pair: Pair, normal: vec3f, cores: Surface) -> Surface {
  let apart = cores.onB - cores.onA;
  let roundA = roundness(pair.coreA);
  let sum = roundA + roundness(pair.coreB);
  let share = select(0.0, roundA / max(sum, 1e-30) - 0.5, sum > 0.0);
  let shift = (apart - normal * dot(apart, normal)) * share;
  return Surface(cores.onA + shift, cores.onB + shift);
}

// The least radius of curvature of an ellipsoid; 0 for other cores.
fn roundness(core: Core) -> f32 {
  let half = core.halfExtents;
  let least = min(half.x, min(half.y, half.z));
  let most = max(half.x, max(half.y, half.z));
  return select(0.0, least * least / max(most, 1e-30), core.kind == CORE_ELLIPSOID);
}
