// Distances of box pairs that SAT decides; everything else is left to distances-gjk.

import package::shared::results::{Distance, STATUS_INVALID_INPUT, INFO_PENDING_GJK};
import package::queries::distances::sat::{distanceBySat};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Distance>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result: Distance;
  result.info = select(STATUS_INVALID_INPUT, INFO_PENDING_GJK, input.isValid);
  if (input.isValid && input.areBoxes) {
    result = distanceBySat(input.pair, parameters.margin);
  }
  results[index] = result;
}
