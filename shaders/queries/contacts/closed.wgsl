// Contact by a closed form, or of two boxes by SAT, with its features where somebody asks for them.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact, INFO_PENDING_GJK};
import package::queries::pair-unit::{marginInUnits};
import package::queries::sat-pair::{isSatPair};
import package::queries::surface::{Surface};
import package::queries::contacts::features::{contactFeatures};
import package::queries::contacts::result::{farContact, convergedContact};
import package::box-witness::{satWitness};
import package::closed-form::{ClosedForm, closedForm};
import package::sat::{sat};

// SAT decides boxes whose cores overlap or are farther apart than the margin; the others go on to GJK.
fn contactByClosedForm(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, withFeatures: bool) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  var found: ClosedForm;
  var isOpen = false;
  if (isSatPair(pair.coreA.kind, pair.coreB.kind)) {
    let best = sat(pair);
    isOpen = best.separation > 0.0;
    found = ClosedForm(
      best.normal, best.separation, select(best.separation, 1e30, isOpen), vec3f(0.0), vec3f(0.0)
    );
    if (!isOpen) {
      let witness = satWitness(pair, best);
      found.onA = witness.onA;
      found.onB = witness.onB;
    }
  } else {
    found = closedForm(pair);
  }
  if (found.lower - (pair.radiusA + pair.radiusB) > margin) {
    return farContact(pair, found.normal, found.lower, found.upper, margin, 1u);
  }
  var contact: Contact;
  if (isOpen) {
    contact.info = INFO_PENDING_GJK;
    return contact;
  }
  contact = convergedContact(
    pair, found.normal, found.lower, found.upper, Surface(found.onA, found.onB), margin, 1u
  );
  if (withFeatures) {
    let features = contactFeatures(pair, shapeA, shapeB, found.normal);
    contact.featureA = features.x;
    contact.featureB = features.y;
  }
  return contact;
}
