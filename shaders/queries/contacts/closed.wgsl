// Contact by a closed form, with its features where somebody asks for them.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Contact};
import package::queries::pair-unit::{marginInUnits};
import package::queries::witness::{Surface};
import package::queries::contacts::features::{contactFeatures};
import package::queries::contacts::result::{farContact, convergedContact};
import package::closed-form::{closedForm};

fn contactByClosedForm(pair: Pair, shapeA: Shape, shapeB: Shape, callersMargin: f32, withFeatures: bool) -> Contact {
  let margin = marginInUnits(pair, callersMargin);
  let found = closedForm(pair);
  if (found.lower - pair.radiusA - pair.radiusB > margin) {
    return farContact(pair, found.normal, found.lower, found.upper, margin, 1u);
  }
  var contact = convergedContact(
    pair, found.normal, found.lower, found.upper, Surface(found.onA, found.onB), margin, 1u
  );
  if (withFeatures) {
    let features = contactFeatures(pair, shapeA, shapeB, found.normal);
    contact.featureA = features.x;
    contact.featureB = features.y;
  }
  return contact;
}
