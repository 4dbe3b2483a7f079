// Conversions between the pair's unit and the caller's, and tolerances in the pair's unit.

import package::shared::constants::{ACCEPT_ULPS, CURVED_ACCEPT_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON};
import package::shared::pair::{HAS_MIDDLES, Pair, toWorld};
import package::shared::support::{isCurvedPair};

// Distance of the cores beyond which a search may end early. A little more than the margin, so that the distance
// without the radii is beyond the margin in spite of rounding.
fn farthest(margin: f32, radius: f32) -> f32 {
  return (margin + radius) * (1.0 + 4.0 * EPSILON);
}

fn marginInUnits(pair: Pair, margin: f32) -> f32 {
  return min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

// A point in A's frame, from A's middle, as a vector from A's position in world axes and the caller's unit.
fn placeInWorld(pair: Pair, point: vec3f) -> vec3f {
  if (HAS_MIDDLES) {
    return toWorld(pair, point + pair.middleA) * pair.unit;
  }
  return toWorld(pair, point) * pair.unit;
}

// Greatest gap between the bounds of a search that still counts as an answer.
fn acceptedGap(pair: Pair) -> f32 {
  return select(ACCEPT_ULPS, CURVED_ACCEPT_ULPS, isCurvedPair(pair)) * EPSILON;
}
