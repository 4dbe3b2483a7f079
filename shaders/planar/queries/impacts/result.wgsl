// Records of impacts in 2-D.

import package::shared::results::{
  INFO_HIT, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT, STATUS_SEPARATED, STATUS_OVERLAPPING, STATUS_NOT_CONVERGED
};
import package::planar::impact::{PLANAR_IMPACT_OPEN};
import package::planar::pair::{PlanarPair, placeInWorld, toWorld};
import package::planar::results::{PlanarImpact};

// Stands for infinity, which shaders can't be relied on to represent.
const PLANAR_NEVER: f32 = 3e38;

// The bodies don't meet.
fn noImpact(iterations: u32) -> PlanarImpact {
  return PlanarImpact(
    vec2f(0.0), PLANAR_NEVER, STATUS_SEPARATED | (iterations << INFO_ITERATIONS_SHIFT), vec2f(0.0), vec2f(0.0)
  );
}

// From the pair's frame and unit to the world's; `pair` has the orientations at the impact.
fn impactRecord(pair: PlanarPair, state: u32, time: f32, normal: vec2f, point: vec2f, iterations: u32) -> PlanarImpact {
  let info = INFO_HIT | (iterations << INFO_ITERATIONS_SHIFT);
  let direction = toWorld(pair, normal);
  if (state == PLANAR_IMPACT_OPEN) {
    return PlanarImpact(direction, time, STATUS_NOT_CONVERGED | info, vec2f(0.0), vec2f(0.0));
  }
  return PlanarImpact(
    direction, time, STATUS_OVERLAPPING | INFO_HAS_POINTS | info, placeInWorld(pair, point), vec2f(0.0)
  );
}
