// Between the pair's unit and the caller's.

import package::shared::pair::{Pair};

// Distances in the pair's unit are below 4: a margin of a million is none.
const UNBOUNDED: f32 = 1e6;

fn marginInUnits(pair: Pair, margin: f32) -> f32 {
  return min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

fn toWorld(pair: Pair, v: vec3f) -> vec3f {
  return pair.rotationA * v;
}
