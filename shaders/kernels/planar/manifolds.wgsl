// Manifolds of pairs of the plane.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};
import package::kernels::planar::input::{loadInput, PORTALS, RUNG};
import package::planar::results::{PlanarManifold};
import package::planar::queries::manifolds::{manifoldOf};

@group(0) @binding(6) var<storage, read_write> results: array<PlanarManifold>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result: PlanarManifold;
  result.info = STATUS_INVALID_INPUT;
  if (input.isValid) {
    result = manifoldOf(input.pair, parameters.margin, RUNG, PORTALS);
  }
  results[index] = result;
}
