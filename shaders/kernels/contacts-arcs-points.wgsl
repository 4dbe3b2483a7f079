// Contacts along the normals that contacts-arcs-lanes found, with features. Pairs without an answer are left to
// contacts-arcs; those that were not searched go to EPA.

import package::kernels::work-lists as package::kernels::list;
import package::queries::contacts::arcs-checked::{UNKNOWN_BOUND, contactByNormal};
import package::queries::contacts::features::{contactFeatures};
import package::kernels::append::{appendAlone};
import package::kernels::contact-records::{ContactRows, contactRows, storeRows};
import package::kernels::pending-records::{epaStartRows, loadArcsBound, loadEpaStart, storeUnfinished};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};

// Whether contacts need features. Manifolds find features of their own.
override HAS_FEATURES: bool = true;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bound = loadArcsBound(index);
    if (bound == UNKNOWN_BOUND) {
      // The record is as GJK left it.
      storeUnfinished(index);
      appendAlone(index, 1u);
      continue;
    }
    let loaded = loadPair(index);
    var start = loadEpaStart(index);
    let found = contactByNormal(loaded.pair, parameters.margin, start, bound);
    var rows: ContactRows;
    if (found.along.isDone) {
      var contact = found.along.contact;
      if (HAS_FEATURES) {
        // As contacts-features, which has the normal from the record.
        let normal = contact.normal * loaded.pair.rotationA;
        let features = contactFeatures(loaded.pair, loaded.shapeA, loaded.shapeB, normal);
        contact.featureA = features.x;
        contact.featureB = features.y;
      }
      rows = contactRows(contact);
    } else {
      start.lower = found.lower;
      rows = epaStartRows(start);
      appendAlone(index, 0u);
    }
    storeRows(index, rows);
  }
}
