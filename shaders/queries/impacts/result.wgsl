// Records of impacts.

import package::shared::pair::{Pair, toWorld};
import package::shared::results::{
  Impact, INFO_HIT, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT, STATUS_SEPARATED, STATUS_OVERLAPPING, STATUS_NOT_CONVERGED
};
import package::queries::pair-unit::{placeInWorld};
import package::queries::impacts::times::{NEVER};
import package::impact::{IMPACT_OPEN};

// The bodies don't meet.
fn noImpact(iterations: u32) -> Impact {
  return Impact(vec3f(0.0), NEVER, vec3f(0.0), STATUS_SEPARATED | (iterations << INFO_ITERATIONS_SHIFT));
}

// From the pair's frame and unit to the world's; `pair` has the orientations at the impact.
fn impactRecord(pair: Pair, state: u32, time: f32, normal: vec3f, point: vec3f, iterations: u32) -> Impact {
  let info = INFO_HIT | (iterations << INFO_ITERATIONS_SHIFT);
  let direction = toWorld(pair, normal);
  if (state == IMPACT_OPEN) {
    return Impact(direction, time, vec3f(0.0), STATUS_NOT_CONVERGED | info);
  }
  return Impact(direction, time, placeInWorld(pair, point), STATUS_OVERLAPPING | INFO_HAS_POINTS | info);
}
