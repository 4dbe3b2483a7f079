// Pairs of boxes that are not rounded, at margin 0: the contacts of hits, without witness points and features, and the
// manifolds of all other pairs. Hits are appended to a list.

import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{INFO_HIT, STATUS_INVALID_INPUT};
import package::queries::contacts::sat::{contactOfSat};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::load-pair::{loadPair};
import package::kernels::manifold-records::{storeManifold};
import package::sat::{sat};
import package::kernels::parameters::{unlistedPair, NO_PAIR};

// Of hits: the first two rows of contact-records.wgsl, and the axis of SAT after them.
@group(0) @binding(8) var<storage, read_write> contacts: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = unlistedPair(workgroupId, localIndex);
  var isHit = false;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    var point = ContactPoint(vec3f(0.0), 0.0, vec3f(0.0), STATUS_INVALID_INPUT);
    var axis = 0u;
    if (loaded.isValid) {
      let best = sat(loaded.pair);
      axis = best.axis;
      let contact = contactOfSat(loaded.pair, best, loaded.shapeA, loaded.shapeB, 0.0, false, false);
      point = ContactPoint(contact.normal, contact.distance, contact.pointA, contact.info);
    }
    isHit = (point.info & INFO_HIT) != 0u;
    if (isHit) {
      contacts[4u * index] = vec4u(bitcast<vec3u>(point.normal), bitcast<u32>(point.distance));
      contacts[4u * index + 1u] = vec4u(bitcast<vec3u>(point.onA), point.info);
      contacts[4u * index + 2u].x = axis;
    } else {
      storeManifold(index, noPoints(point));
    }
  }
  appendTogether(index, select(NO_LIST, 0u, isHit), localIndex);
}
