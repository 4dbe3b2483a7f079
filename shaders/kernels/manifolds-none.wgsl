// The records of pairs that are not hits: manifolds without points.

import package::shared::results::{INFO_HIT};
import package::queries::manifolds::contact::{noPoints};
import package::kernels::contact-points::{loadContactPoint};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::parameters::{pairIndex, NO_PAIR};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let contact = loadContactPoint(index);
  if ((contact.info & INFO_HIT) == 0u) {
    storeManifold(index, noPoints(contact));
  }
}
