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
  return contactAt(pair, margin, start, search, cores);
}

fn contactAt(pair: Pair, margin: f32, start: EpaStart, search: EpaResult, cores: Surface) -> Contact {
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
  var upper = upperBoundOf(start, search);
  // Points that miss the normal raise the upper bound by half of the miss, as each is off by that much: those from the
  // arcs always, those of curved pairs beyond REFINE_MISS.
  let miss = length(cores.onB - cores.onA - normal * lower);
  if (hasNormal || (isCurvedPair(pair) && miss > REFINE_MISS)) {
    upper = max(select(upper, start.upper, hasNormal), lower + 0.5 * miss);
  }
  return convergedContact(pair, normal, lower, max(lower, upper), cores, margin, iterations);
}

// A face's height is an upper bound only while the origin is inside, and all faces were searched.
fn upperBoundOf(start: EpaStart, search: EpaResult) -> f32 {
  return select(min(start.upper, search.faceDistance), search.upper, search.upper < 0.0);
}
