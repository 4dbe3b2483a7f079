// The contact normals of overlapping pairs of polytopes, by the arcs of their Gauss maps, with one or more lanes per
// pair: of pairs that contacts-gjk left, of pairs for whose normal contacts-arcs-points found no points, and of pairs
// that contacts-epa left open. contacts-arcs-points makes contacts of them.

import package::arcs::lanes::{LANES, WORKGROUP_SIZE, laneOf, setLane};
import package::queries::contacts::arcs-normal::{normalByArcs};
import package::kernels::pending-records::{isSearchedAgain, loadEpaStart, loadExcluded, storeArcsNormal};
import package::kernels::list::{slotsOf};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot};

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u, @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  setLane(localIndex);
  // The list has one class, which starts in slot 0.
  let count = slotsOf(parameters.firstClass, parameters.endClass, localIndex).y;
  let pairsHere = WORKGROUP_SIZE / LANES;
  for (var first = workgroupId.x * pairsHere; first < count; first += workgroups.x * pairsHere) {
    let slot = first + localIndex / LANES;
    let index = pairInSlot(min(slot, count - 1u));
    let loaded = loadPair(index);
    // Lanes beyond the end of the list only take part in the barriers.
    let isThere = slot < count;
    let found = normalByArcs(
      loaded.pair, loaded.shapeA, loaded.shapeB, loadEpaStart(index), index, isThere, isSearchedAgain(index),
      loadExcluded(index)
    );
    if (LANES > 1u) {
      // All lanes have read the record before one of them writes over it.
      storageBarrier();
    }
    if (isThere && laneOf() == 0u) {
      storeArcsNormal(index, found.normal, found.upper, found.winner);
    }
  }
}
