// Contact of a pair whose cores are apart. If the cores overlap, the simplex that EPA starts from.

import package::shared::constants::{GJK_NEARBY};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_PENDING_EPA, INFO_ITERATIONS_SHIFT};
import package::queries::pair-unit::{acceptedGap, farthest, marginInUnits};
import package::queries::witness::{searchWitness};
import package::queries::contacts::epa-start::{EpaStart};
import package::queries::contacts::result::{farContact, convergedContact};
import package::gjk::{GjkResult, Guess, gjk, GJK_FAR, GJK_CONVERGED, GJK_STALLED, GJK_TOUCHING};
import package::shared::support::{isCurvedPair};

// Either a contact, or the start of EPA.
struct GjkContact {
  needsEpa: bool,
  contact: Contact,
  start: EpaStart,
}

fn contactSearch(pair: Pair, callersMargin: f32, guess: Guess) -> GjkResult {
  let far = farthest(marginInUnits(pair, callersMargin), pair.radiusA + pair.radiusB);
  return gjk(pair, far, -1.0, guess);
}

fn contactByGjk(pair: Pair, callersMargin: f32, search: GjkResult) -> GjkContact {
  let margin = marginInUnits(pair, callersMargin);
  var found: GjkContact;
  if (search.state == GJK_FAR) {
    found.contact = farContact(pair, search.normal, search.lower, search.upper, margin, search.iterations);
    return found;
  }
  // Curved cores that GJK has shown to be apart, by less than a touch: EPA's points are on chords of their surfaces.
  let isNearMiss = search.state == GJK_TOUCHING && search.lower > 0.0 && isCurvedPair(pair);
  let hasConverged = search.state == GJK_CONVERGED ||
    ((search.state == GJK_STALLED || isNearMiss) && search.upper - search.lower <= acceptedGap(pair));
  let isApart = search.state == GJK_STALLED && search.upper > GJK_NEARBY;
  if (hasConverged || isApart) {
    let cores = searchWitness(pair, search.simplex);
    found.contact = convergedContact(pair, search.normal, search.lower, search.upper, cores, margin, search.iterations);
    return found;
  }
  let s = search.simplex;
  found.needsEpa = true;
  found.start = EpaStart(
    search.normal, search.lower, search.upper, INFO_PENDING_EPA | (search.iterations << INFO_ITERATIONS_SHIFT),
    array(s.a.id, s.b.id, s.c.id, s.d.id), s.count
  );
  return found;
}
