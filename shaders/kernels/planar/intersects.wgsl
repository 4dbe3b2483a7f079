// Which pairs of the plane are at most the margin apart.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};
import package::kernels::planar::input::{loadInput, RUNG};
import package::planar::queries::intersects::{intersects};

@group(0) @binding(6) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result = STATUS_INVALID_INPUT;
  if (input.isValid) {
    result = intersects(input.pair, parameters.margin, RUNG);
  }
  results[index] = result;
}
