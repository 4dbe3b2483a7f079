// Manifolds of pairs whose contacts are known.

import package::shared::results::{INFO_HIT, INFO_HAS_POINTS};
import package::queries::manifolds::contact::{manifoldOfContact, noPoints};
import package::kernels::manifold-records::{loadContactPoint, storeManifold};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let contact = loadContactPoint(index);
  if ((contact.info & INFO_HIT) == 0u || (contact.info & INFO_HAS_POINTS) == 0u) {
    storeManifold(index, noPoints(contact));
    return;
  }
  let input = loadInput(index);
  storeManifold(index, manifoldOfContact(input.pair, input.shapeA, input.shapeB, contact, parameters.margin));
}
