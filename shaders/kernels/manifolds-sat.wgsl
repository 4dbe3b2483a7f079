// Pairs of boxes that are not rounded, at margin 0: the contacts of hits, without witness points and features, and the
// manifolds of all other pairs.

import package::shared::results::{INFO_HIT, STATUS_INVALID_INPUT};
import package::queries::contacts::sat::{contactBySat};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
import package::kernels::load-pair::{loadPair};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::parameters::{pairIndex, NO_PAIR};

// The first two rows of contact-records.wgsl.
@group(0) @binding(8) var<storage, read_write> contacts: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let loaded = loadPair(index);
  var point = ContactPoint(vec3f(0.0), 0.0, vec3f(0.0), STATUS_INVALID_INPUT);
  if (loaded.isValid) {
    let contact = contactBySat(loaded.pair, loaded.shapeA, loaded.shapeB, 0.0, false, false);
    point = ContactPoint(contact.normal, contact.distance, contact.pointA, contact.info);
  }
  contacts[4u * index] = vec4u(bitcast<vec3u>(point.normal), bitcast<u32>(point.distance));
  contacts[4u * index + 1u] = vec4u(bitcast<vec3u>(point.onA), point.info);
  if ((point.info & INFO_HIT) == 0u) {
    storeManifold(index, noPoints(point));
  }
}
