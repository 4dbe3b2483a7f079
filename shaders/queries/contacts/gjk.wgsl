// Contact of a pair whose cores are apart; the simplex of one whose cores overlap.

import package::shared::constants::{ACCEPT_ULPS, GJK_NEARBY};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact, INFO_PENDING_EPA, INFO_ITERATIONS_SHIFT};
import package::queries::units::{farthest, marginInUnits};
import package::queries::witness::{simplexWitness};
import package::queries::contacts::result::{farContact, metContact};
import package::gjk::{gjk, GJK_FAR, GJK_CONVERGED, GJK_STALLED};

// What GJK hands to EPA: bounds and normal in the contact, the simplex beside it.
struct GjkContact {
  contact: Contact,
  simplexIds: vec4u,
}

fn contactByGjk(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32) -> GjkContact {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let search = gjk(pair, farthest(margin, radius), -1.0);
  if (search.state == GJK_FAR) {
    return GjkContact(
      farContact(pair, search.normal, search.lower, search.upper, margin, search.iterations), vec4u(0u)
    );
  }
  let hasMet = search.state == GJK_CONVERGED ||
    (search.state == GJK_STALLED && search.upper - search.lower <= ACCEPT_ULPS * EPSILON);
  let isApart = search.state == GJK_STALLED && search.upper > GJK_NEARBY;
  if (hasMet || isApart) {
    let cores = simplexWitness(pair, search.simplex);
    return GjkContact(metContact(
      pair, shapeA, shapeB, search.normal, search.lower, search.upper, cores, margin, search.iterations
    ), vec4u(0u));
  }
  var pending: Contact;
  pending.info = INFO_PENDING_EPA | (search.iterations << INFO_ITERATIONS_SHIFT);
  pending.normal = search.normal;
  pending.lower = search.lower;
  pending.upper = search.upper;
  pending.simplexCount = search.simplex.count;
  let s = search.simplex;
  return GjkContact(pending, vec4u(s.a.id, s.b.id, s.c.id, s.d.id));
}
