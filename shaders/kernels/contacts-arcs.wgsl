// Penetration depth of pairs of polytopes by the arcs of their Gauss maps: of pairs that GJK left (on hardware, those
// for which contacts-arcs-points found no contact), and of pairs that contacts-epa left open. What this kernel leaves
// goes to EPA. If only the witness points were not found, contacts-epa searches along the normal.

import package::arcs::one-lane as package::arcs::lanes;
import package::kernels::work-lists as package::kernels::list;
import package::queries::contacts::arcs::{contactByArcs};
import package::kernels::contact-records::{contactRows, storeRows};
import package::kernels::pending-records::{epaStartRows, loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::kernels::append::{appendAlone};
import package::shared::results::{INFO_PENDING_ARCS};
import package::shared::support::{isCurvedPair};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    // The last class may have pairs of all kinds.
    if (isCurvedPair(loaded.pair)) {
      continue;
    }
    let found = contactByArcs(loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, loadEpaStart(index));
    var rows = contactRows(found.contact);
    if (!found.isDone) {
      rows = epaStartRows(found.start);
      // List 1 is for contacts-epa.
      appendAlone(index, select(0u, 1u, (found.start.info & INFO_PENDING_ARCS) != 0u));
    }
    storeRows(index, rows);
  }
}
