// Manifolds of listed hits, whose contacts are known.

import package::corners::many as package::corners::capacity;
import package::queries::manifolds::any::{manifoldOfContact};
import package::kernels::manifold-records::{loadContactPoint, storeManifold};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  storeManifold(index, manifoldOfContact(input.pair, input.shapeA, input.shapeB, loadContactPoint(index), parameters.margin));
}
