// Manifolds of the hits among listed pairs of boxes that are not rounded, whose contacts are known.

import package::queries::manifolds::boxes::{boxManifoldOfContact};
import package::shared::results::{INFO_HIT};
import package::kernels::contact-points::{loadContactPoint};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, pairInSlot, strideOf, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index != NO_PAIR) {
    storeIfHit(index);
  }
}

@compute @workgroup_size(64)
fn strided(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    storeIfHit(pairInSlot(slot));
  }
}

fn storeIfHit(index: u32) {
  let contact = loadContactPoint(index);
  if ((contact.info & INFO_HIT) == 0u) {
    return;
  }
  let loaded = loadPair(index);
  storeManifold(index, boxManifoldOfContact(
    loaded.pair, loaded.shapeA, loaded.shapeB, contact, parameters.margin
  ));
}
