// Penetration depth by EPA of the pairs that contacts-gjk left. They were found valid there.

import package::shared::results::{Contact};
import package::queries::contacts::epa::{contactByEpa};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Contact>;
@group(0) @binding(8) var<storage, read_write> simplices: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  results[index] = contactByEpa(
    input.pair, input.shapeA, input.shapeB, parameters.margin, results[index], simplices[index]
  );
}
