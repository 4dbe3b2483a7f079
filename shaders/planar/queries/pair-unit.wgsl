// Conversions between the unit of a pair in 2-D and the caller's, and tolerances in the pair's unit.

import package::shared::constants::{ACCEPT_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON};
import package::planar::pair::{PlanarPair};

// Distance of the cores beyond which a search may end early: beyond the margin in spite of rounding.
fn farthest(margin: f32, radius: f32) -> f32 {
  return (margin + radius) * (1.0 + 4.0 * EPSILON);
}

fn marginInUnits(pair: PlanarPair, margin: f32) -> f32 {
  return min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

// Greatest gap between the bounds of a search that still counts as an answer.
fn acceptedGap() -> f32 {
  return ACCEPT_ULPS * EPSILON;
}
