// Manifolds of the hits among listed pairs of any shapes, whose contacts are known.

import package::queries::manifolds::any::{manifoldOfContact};
import package::shared::results::{INFO_HIT};
import package::kernels::contact-points::{loadContactPoint};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::load-pair::{loadPair, ANY_BOX};
import package::kernels::parameters::{parameters, pairInSlot, strideOf, KIND_A, KIND_B};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let contact = loadContactPoint(index);
    if ((contact.info & INFO_HIT) == 0u) {
      continue;
    }
    var loaded = loadPair(index);
    if (KIND_A < ANY_BOX) {
      // A hit is a valid pair. As constants, the kinds leave the contact faces of all others out of the kernel.
      loaded.pair.coreA.kind = KIND_A;
      loaded.pair.coreB.kind = KIND_B;
    }
    storeManifold(index, manifoldOfContact(loaded.pair, loaded.shapeA, loaded.shapeB, contact, parameters.margin));
  }
}
