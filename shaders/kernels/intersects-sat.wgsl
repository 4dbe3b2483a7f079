// Overlap of box pairs by SAT; those within the margin whose cores are apart are left to intersects-gjk.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::intersects::sat::{intersectsBySat};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    info = intersectsBySat(input.pair, parameters.margin);
  }
  results[index] = info;
}
