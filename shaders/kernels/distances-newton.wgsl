// Distances of pairs without hulls as far as the projected Newton search finds them; the others are left to
// distances-gjk.

import package::shared::results::{Distance, STATUS_INVALID_INPUT};
import package::queries::distances::newton::{distanceByNewton};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Distance>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result: Distance;
  result.info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    result = distanceByNewton(input.pair, parameters.margin);
  }
  results[index] = result;
}
