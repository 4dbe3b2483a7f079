// Contact of two boxes as far as SAT knows it.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact, INFO_PENDING_GJK};
import package::shared::support::{support, vertex};
import package::queries::pair-unit::{marginInUnits};
import package::queries::witness::{Surface};
import package::queries::contacts::features::{contactFeatures};
import package::queries::contacts::result::{farContact, convergedContact};
import package::box-witness::{satWitness};
import package::sat::{SatResult, sat};

// Boxes only. Overlapping cores and cores farther apart than the margin are decided; the rest goes on to GJK.
fn contactBySat(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, withFeatures: bool) -> Contact {
  return contactOfSat(pair, sat(pair), shapeA, shapeB, callersMargin, withFeatures, true);
}

// Without witness points, A's point is a vertex at its greatest height along the normal.
fn contactOfSat(
  pair: Pair, best: SatResult, shapeA: Shape, shapeB: Shape, callersMargin: f32, withFeatures: bool, withWitness: bool
) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  if (best.separation - pair.radiusA - pair.radiusB > margin) {
    return farContact(pair, best.normal, best.separation, 1e30, margin, 1u);
  }
  if (best.separation > 0.0) {
    var pending: Contact;
    pending.info = INFO_PENDING_GJK;
    return pending;
  }
  var cores: Surface;
  if (withWitness) {
    let witness = satWitness(pair, best);
    cores = Surface(witness.onA, witness.onB);
  } else {
    cores.onA = vertex(pair.coreA, support(pair.coreA, best.normal));
    cores.onB = cores.onA + best.normal * best.separation;
  }
  var contact = convergedContact(pair, best.normal, best.separation, best.separation, cores, margin, 1u);
  if (withFeatures) {
    let features = contactFeatures(pair, shapeA, shapeB, best.normal);
    contact.featureA = features.x;
    contact.featureB = features.y;
  }
  return contact;
}
