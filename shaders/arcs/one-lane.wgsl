// One invocation per pair searches faces and arcs, and checks the normal. In kernels in which several do,
// package::arcs::lanes is many-lanes.wgsl instead of this file.

import package::arcs::winner::{Winner};

const LANES: u32 = 1u;
const LANE_ROUNDS: u32 = 1u;
const CHECKS_NORMAL: bool = true;

// This invocation's number among those of its pair.
fn laneOf() -> u32 {
  return 0u;
}

// What the lanes of a pair have found together.
struct SharedBest {
  best: f32,
  upper: f32,
  winner: Winner,
}

fn shareBest(best: f32, upper: f32, winner: Winner) -> SharedBest {
  return SharedBest(best, upper, winner);
}
