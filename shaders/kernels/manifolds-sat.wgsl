// Pairs of boxes that are not rounded, at margin 0: the contacts of hits, without witness points and features, and the
// manifolds of all other pairs.

@kernel(manifolds-sat)        // the hits are listed by other kernels
@kernel(manifolds-sat-append) // it lists the hits

@if(manifolds-sat-append) import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{INFO_HIT, STATUS_INVALID_INPUT};
import package::queries::contacts::sat::{contactOfSat};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
@if(manifolds-sat-append) import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::load-pair::{loadPair};
import package::kernels::manifold-records::{storeManifold};
import package::sat::{sat};
import package::kernels::parameters::{unlistedPair, NO_PAIR};

// The first two rows of contact-records.wgsl, and of hits the axis of SAT after them. manifolds-sat stores the rows of
// all pairs, from which hits are listed; manifolds-sat-append only those of hits.
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
    @if(manifolds-sat) let isStored = true;
    @if(manifolds-sat-append) let isStored = isHit;
    if (isStored) {
      contacts[4u * index] = vec4u(bitcast<vec3u>(point.normal), bitcast<u32>(point.distance));
      contacts[4u * index + 1u] = vec4u(bitcast<vec3u>(point.onA), point.info);
    }
    if (isHit) {
      contacts[4u * index + 2u].x = axis;
    }
    if (!isHit) {
      storeManifold(index, noPoints(point));
    }
  }
  @if(manifolds-sat-append) appendTogether(index, select(NO_LIST, 0u, isHit), localIndex);
}
