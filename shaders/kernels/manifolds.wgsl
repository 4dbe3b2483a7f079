// Manifolds of listed hits, whose contacts are known.

import package::queries::manifolds::contact::{manifoldOfContact};
import package::kernels::manifold-records::{loadContactPoint, storeManifold};
import package::kernels::input::{loadInput, IS_SHARP};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR, KIND_A, KIND_B};
import package::shared::shapes::{CORE_BOX};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  let areSharpBoxes = IS_SHARP && KIND_A == CORE_BOX && KIND_B == CORE_BOX;
  storeManifold(
    index, manifoldOfContact(input.pair, input.shapeA, input.shapeB, loadContactPoint(index), parameters.margin, areSharpBoxes)
  );
}
