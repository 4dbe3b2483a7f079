// Contacts along the normals that contacts-arcs found. A face and an arc near it may be equally good except for
// rounding, and only one of them may have points: so a pair whose normal has none is searched once more, without the
// face or arc that was found. If that one has no points either, contacts-epa looks for points along its normal.

import package::kernels::work-lists as package::kernels::list;
import package::queries::contacts::arcs-checked::{UNKNOWN_BOUND, contactByNormal};
import package::kernels::append::{appendAlone};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{
  isSearchedAgain, loadArcsBound, loadEpaStart, storePointless, storeUnfinished
};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::shared::results::{INFO_PENDING_ARCS, INFO_PENDING_EPA, STATUS_CAPACITY_EXCEEDED};

// The lists that it appends to: pairs with a normal, for another search or, after that, for points along it; and pairs
// without, for EPA.
const WITH_NORMAL: u32 = 0u;
const WITHOUT_NORMAL: u32 = 1u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bound = loadArcsBound(index);
    if (bound == UNKNOWN_BOUND) {
      // The record is as GJK left it.
      storeUnfinished(index);
      appendAlone(index, WITHOUT_NORMAL);
      continue;
    }
    let loaded = loadPair(index);
    let start = loadEpaStart(index);
    let found = contactByNormal(loaded.pair, parameters.margin, start, bound);
    if (found.along.isDone) {
      storeContact(index, found.along.contact);
      continue;
    }
    // Pairs that EPA left open take this normal in any case.
    let isLeft = (start.info & INFO_PENDING_ARCS) != 0u;
    let isLast = isLeft || isSearchedAgain(index);
    let isNormal = isLeft || (found.along.isResolved && (!isLast || bound < 0.0));
    let isForPoints = isLast && isNormal;
    storePointless(
      index, found.lower, select(start.upper, found.along.upper, isForPoints),
      start.info | STATUS_CAPACITY_EXCEEDED | select(0u, INFO_PENDING_EPA | INFO_PENDING_ARCS, isForPoints),
      isNormal && !isLast
    );
    appendAlone(index, select(WITHOUT_NORMAL, WITH_NORMAL, isNormal));
  }
}
