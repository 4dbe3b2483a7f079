// Publishes what `walk` has appended, and makes room for the next stage. If there was no room for all of it, nothing is
// published, and the search ends.

import package::kernels::part-pairs::lists::{counters};
import package::kernels::part-pairs::parameters::{parameters};
import package::part-pairs::records::{PartStage};

@group(0) @binding(1) var<storage, read_write> stage: PartStage;

@compute @workgroup_size(1)
fn main() {
  let items = atomicExchange(&counters.items, 0u);
  let candidates = atomicExchange(&counters.candidates, 0u);
  let isRoom = items <= parameters.itemCapacity && candidates <= parameters.candidateCapacity;
  stage.number += 1u;
  stage.itemCount = select(0u, items, isRoom);
  stage.candidateCount = select(0u, candidates, isRoom);
  stage.firstItem = parameters.itemCapacity - stage.firstItem;
  stage.neededItems = max(stage.neededItems, items);
  stage.neededCandidates = max(stage.neededCandidates, candidates);
  stage.boxTests = increased(stage.boxTests, atomicExchange(&counters.boxTests, 0u));
  stage.partTests = increased(stage.partTests, candidates);
}

fn increased(sum: vec2u, by: u32) -> vec2u {
  let low = sum.x + by;
  return vec2u(low, sum.y + select(0u, 1u, low < by));
}
