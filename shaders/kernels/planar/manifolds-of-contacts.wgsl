// The manifolds of 2-D contacts that were chosen among pairs of parts.

import package::kernels::parameters::{pairIndex, parameters, NO_PAIR};
import package::kernels::planar::load-pair::{loadPair};
import package::planar::queries::manifolds::{manifoldOfContact};
import package::planar::results::{PlanarContact, PlanarManifold};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT};

@group(0) @binding(6) var<storage, read_write> records: array<PlanarManifold>;
@group(0) @binding(8) var<storage, read> contacts: array<PlanarContact>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let contact = contacts[index];
  var record: PlanarManifold;
  record.normal = contact.normal;
  record.info = contact.info & ~INFO_HAS_POINTS;
  record.contactDistance = contact.distance;
  if ((contact.info & INFO_HIT) != 0u && (contact.info & INFO_HAS_POINTS) != 0u) {
    record = manifoldOfContact(loadPair(index).pair, contact, parameters.margin);
  }
  records[index] = record;
}
