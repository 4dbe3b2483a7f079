// Contact of two polytopes along the normal that a search of faces and arcs has found.

import package::arcs::witness::{arcsWitness};
import package::queries::contacts::result::{convergedContact};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::surface::{Surface};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_ITERATIONS_SHIFT};

struct AlongNormal {
  // Whether the bounds meet, and the upper one.
  isResolved: bool,
  upper: f32,
  // Whether there are points too, and with them a contact.
  isDone: bool,
  contact: Contact,
}

// `lower` is the least height of B - A along `normal`, `top` the greatest height of A; no height is above `bound`.
fn contactAlong(
  pair: Pair, callersMargin: f32, normal: vec3f, lower: f32, top: f32, bound: f32, info: u32
) -> AlongNormal {
  // Cores that touch may be apart by as much as they are deep.
  let areTouching = bound >= 0.0;
  var upper = select(bound, max(bound, -lower), areTouching);
  var along: AlongNormal;
  along.isResolved = upper - lower <= acceptedGap(pair);
  along.upper = upper;
  if (along.isResolved) {
    let points = arcsWitness(pair, normal, lower, top);
    // Where cores touch, the points may be farther apart than the bounds.
    if (points.hasPoints && areTouching) {
      upper = max(upper, length(points.onB - points.onA));
    }
    along.isDone = points.hasPoints && upper - lower <= acceptedGap(pair);
    if (along.isDone) {
      along.contact = convergedContact(
        pair, normal, lower, upper, Surface(points.onA, points.onB), marginInUnits(pair, callersMargin),
        info >> INFO_ITERATIONS_SHIFT
      );
    }
  }
  return along;
}
