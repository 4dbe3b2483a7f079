// Contacts of pairs of the plane.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};
import package::kernels::planar::input::{loadInput, PORTALS, RUNG};
import package::planar::results::{PlanarContact};
import package::planar::queries::contacts::{contactOf};

@group(0) @binding(6) var<storage, read_write> results: array<PlanarContact>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result: PlanarContact;
  result.info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    result = contactOf(input.pair, parameters.margin, RUNG, PORTALS);
  }
  results[index] = result;
}
