// Contacts along the normals that contacts-arcs found. A face and an arc near it may be equally good except for
// rounding, and only one of them may have points: so a pair without points along its normal is searched once more,
// without the face or arc that was found. If that one has no points either, contacts-epa looks for points along its
// normal.

import package::kernels::work-lists as package::kernels::list;
import package::queries::contacts::arcs-checked::{UNKNOWN_BOUND, contactByNormal};
import package::kernels::append::{appendAlone};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{
  isSearchedAgain, loadArcsBound, loadEpaStart, storeWithoutPoints, storeUnfinished
};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::shared::results::{INFO_PENDING_ARCS, INFO_PENDING_EPA, STATUS_CAPACITY_EXCEEDED};

// The lists that it appends to: pairs for the second search or, after that, for points along their normal; and other
// pairs for EPA.
const TO_NEXT: u32 = 0u;
const TO_EPA: u32 = 1u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bound = loadArcsBound(index);
    if (bound == UNKNOWN_BOUND) {
      // The record is as GJK left it.
      storeUnfinished(index);
      appendAlone(index, TO_EPA);
      continue;
    }
    let loaded = loadPair(index);
    let start = loadEpaStart(index);
    let found = contactByNormal(loaded.pair, parameters.margin, start, bound);
    if (found.along.isDone) {
      storeContact(index, found.along.contact);
      continue;
    }
    let isLast = isSearchedAgain(index);
    let isSearchedNext = found.along.isResolved && !isLast;
    // Pairs that EPA left open take the last normal in any case.
    let isForPoints = !isSearchedNext &&
        ((start.info & INFO_PENDING_ARCS) != 0u || (found.along.isResolved && bound < 0.0));
    storeWithoutPoints(
      index, found.lower, select(start.upper, found.along.upper, isForPoints),
      start.info | STATUS_CAPACITY_EXCEEDED | select(0u, INFO_PENDING_EPA | INFO_PENDING_ARCS, isForPoints),
      isSearchedNext
    );
    appendAlone(index, select(TO_EPA, TO_NEXT, isSearchedNext || (isLast && isForPoints)));
  }
}
