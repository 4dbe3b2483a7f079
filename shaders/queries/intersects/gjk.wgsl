// Is the signed distance at most the margin? GJK leaves as soon as it knows.

import package::shared::pair::{Pair};
import package::shared::results::{distanceInfo, notConvergedInfo};
import package::queries::pair-unit::{acceptedGap, farthest, marginInUnits};
import package::gjk::{GjkResult, Guess, gjk, GJK_FAR, GJK_CONVERGED, GJK_STALLED};

// Overlap has to be told from a gap within the margin, so that the search may only leave early on overlap.
fn intersectsSearch(pair: Pair, callersMargin: f32, guess: Guess) -> GjkResult {
  let far = farthest(marginInUnits(pair, callersMargin), pair.radiusA + pair.radiusB);
  return gjk(pair, far, pair.radiusA + pair.radiusB, guess);
}

fn intersectsByGjk(pair: Pair, callersMargin: f32, search: GjkResult) -> u32 {
  let margin = marginInUnits(pair, callersMargin);
  let radius = pair.radiusA + pair.radiusB;
  if (search.state == GJK_FAR || search.state == GJK_CONVERGED) {
    return distanceInfo(search.lower - radius, margin, search.iterations);
  }
  // Nearly touching cores are as good as touching.
  let lower = max(search.lower, 0.0);
  if (search.state == GJK_STALLED && search.upper - lower > acceptedGap(pair)) {
    return notConvergedInfo(search.lower - radius, margin, search.iterations);
  }
  if (search.state == GJK_STALLED) {
    return distanceInfo(0.5 * (lower + search.upper) - radius, margin, search.iterations);
  }
  return distanceInfo(min(search.upper - radius, 0.0), margin, search.iterations);
}
