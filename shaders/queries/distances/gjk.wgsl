// Distance and witness points of a pair that is apart; an overlapping pair gets zeros.

import package::shared::pair::{Pair};
import package::shared::results::{Distance, notConvergedInfo, INFO_HAS_POINTS};
import package::queries::pair-unit::{acceptedGap, farthest, marginInUnits};
import package::queries::witness::{searchWitness};
import package::queries::distances::result::{farDistance, convergedDistance, overlappingDistance};
import package::gjk::{GjkResult, Guess, gjk, GJK_FAR, GJK_CONVERGED, GJK_STALLED};

// Only overlap of the rounded shapes may end the search early.
fn distanceSearch(pair: Pair, callersMargin: f32, guess: Guess) -> GjkResult {
  let far = farthest(marginInUnits(pair, callersMargin), pair.radiusA + pair.radiusB);
  return gjk(pair, far, pair.radiusA + pair.radiusB, guess);
}

fn distanceByGjk(pair: Pair, callersMargin: f32, search: GjkResult) -> Distance {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  let distance = search.lower - radius;
  if (search.state == GJK_FAR) {
    return farDistance(pair, search.normal, distance, margin, search.iterations);
  }
  let hasConverged = search.state == GJK_CONVERGED ||
    (search.state == GJK_STALLED && search.upper - search.lower <= acceptedGap(pair));
  // Nearly touching cores whose normal is lost in rounding are as good as touching.
  let isTouching = search.state != GJK_STALLED || search.upper <= acceptedGap(pair);
  if (!hasConverged && isTouching) {
    return overlappingDistance(margin, search.iterations);
  }
  if (hasConverged && distance <= 0.0) {
    return overlappingDistance(margin, search.iterations);
  }
  var result = convergedDistance(
    pair, search.normal, distance, searchWitness(pair, search.simplex), margin, search.iterations
  );
  if (!hasConverged) {
    result.info = notConvergedInfo(distance, margin, search.iterations) | INFO_HAS_POINTS;
  }
  return result;
}
