// Overlap of box pairs by SAT; everything else is left to intersects-gjk.

import package::shared::results::{STATUS_INVALID_INPUT, INFO_PENDING_GJK};
import package::queries::intersects::sat::{intersectsBySat};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var info = select(STATUS_INVALID_INPUT, INFO_PENDING_GJK, input.isValid);
  if (input.isValid && input.areBoxes) {
    info = intersectsBySat(input.pair, parameters.margin);
  }
  results[index] = info;
}
