// Manifolds of listed hits of boxes that are not rounded, whose contacts are known.

import package::corners::few as package::corners::capacity;
import package::queries::manifolds::boxes::{boxManifoldOfContact};
import package::kernels::contact-points::{loadContactPoint, loadSatAxis};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let loaded = loadPair(index);
  storeManifold(index, boxManifoldOfContact(
    loaded.pair, loaded.shapeA, loaded.shapeB, loadContactPoint(index), loadSatAxis(index), parameters.margin
  ));
}
