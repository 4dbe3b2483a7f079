// Between the unit of a pair in the plane and the caller's.

import package::shared::constants::{ACCEPT_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON};
import package::planar::pair::{PlanarPair};

// Distance of the cores beyond which a pair may leave early: beyond the margin in spite of rounding.
fn farthest(margin: f32, radius: f32) -> f32 {
  return (margin + radius) * (1.0 + 4.0 * EPSILON);
}

fn marginInUnits(pair: PlanarPair, margin: f32) -> f32 {
  return min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

// How far apart the bounds of a search may be that is an answer all the same.
fn acceptedGap() -> f32 {
  return ACCEPT_ULPS * EPSILON;
}
