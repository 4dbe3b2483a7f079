// Distance of a pair without hulls as far as the projected Newton search finds it.

import package::shared::pair::{Pair};
import package::shared::results::{Distance, INFO_PENDING_GJK};
import package::queries::pair-unit::{farthest, marginInUnits};
import package::queries::surface::{Surface};
import package::queries::distances::result::{farDistance, convergedDistance, overlappingDistance};
import package::newton::{newton, NEWTON_NEAR, NEWTON_OPEN};

// Boxes, segments and points only. What the search leaves open goes on to GJK.
fn distanceByNewton(pair: Pair, callersMargin: f32) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let search = newton(pair, radius);
  let distance = search.lower - radius;
  if (search.state == NEWTON_OPEN) {
    var pending: Distance;
    pending.info = INFO_PENDING_GJK;
    return pending;
  }
  if (search.state == NEWTON_NEAR || distance <= 0.0) {
    return overlappingDistance(margin, search.iterations);
  }
  if (search.lower > farthest(margin, radius)) {
    return farDistance(pair, search.normal, distance, margin, search.iterations);
  }
  return convergedDistance(pair, search.normal, distance, Surface(search.onA, search.onB), margin, search.iterations);
}
