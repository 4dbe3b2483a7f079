// The contact from EPA's result.

import package::shared::constants::{REFINE_MISS};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_ARCS, INFO_ITERATIONS_SHIFT};
import package::shared::support::{isCurvedPair};
import package::queries::surface::{Surface};
import package::queries::witness::{cornerWitness};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::result::{convergedContact};
import package::epa::search::{EpaResult, EPA_CONVERGED};

fn contactOf(pair: Pair, margin: f32, start: EpaStart, search: EpaResult) -> Contact {
  let cores = cornerWitness(pair, search.idA, search.idB, search.idC, search.weights);
  return contactAt(pair, margin, start, search, cores, REFINE_MISS);
}

// With the points `cores`. Those of curved pairs may miss the normal by `mostMiss`.
fn contactAt(
  pair: Pair, margin: f32, start: EpaStart, search: EpaResult, cores: Surface, mostMiss: f32
) -> Contact {
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
  // Points that miss the normal raise the upper bound: each of them by half of the miss.
  let miss = length(cores.onB - cores.onA - normal * lower);
  if (hasNormal) {
    upper = start.upper;
  }
  if (hasNormal || (isCurvedPair(pair) && miss > mostMiss)) {
    upper = max(upper, lower + 0.5 * miss);
  }
  return convergedContact(pair, normal, lower, max(lower, upper), cores, margin, iterations);
}
