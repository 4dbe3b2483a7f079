// The contact normals of pairs of polytopes that GJK left, by several lanes per pair. contacts-arcs-points makes
// contacts of them.

import package::arcs::many-lanes as package::arcs::lanes;
import package::arcs::many-lanes::{LANES, WORKGROUP_SIZE, laneOf, setLane};
import package::queries::contacts::arcs-normal::{normalByArcs};
import package::kernels::pending-records::{loadEpaStart, storeArcsNormal};
import package::kernels::list::{slotsOf};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot};

var<workgroup> listed: u32;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u, @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  setLane(localIndex);
  // The list has one class, which starts in slot 0.
  let slots = slotsOf(parameters.firstClass, parameters.endClass, localIndex);
  if (localIndex == 0u) {
    listed = slots.y;
  }
  let count = workgroupUniformLoad(&listed);
  let pairsHere = WORKGROUP_SIZE / LANES;
  for (var first = workgroupId.x * pairsHere; first < count; first += workgroups.x * pairsHere) {
    let slot = first + localIndex / LANES;
    let index = pairInSlot(min(slot, count - 1u));
    let loaded = loadPair(index);
    let found = normalByArcs(loaded.pair, loaded.shapeA, loaded.shapeB, loadEpaStart(index));
    // All lanes have read the record before one of them writes over it.
    storageBarrier();
    if (slot < count && laneOf() == 0u) {
      storeArcsNormal(index, found.normal, found.upper);
    }
  }
}
