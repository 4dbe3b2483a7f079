// The normals of the pairs of polytopes that contacts-epa left open: their depth is nearly the same in many directions.
// With the normal, the pair goes through contacts-epa once more, which finds the face along it and witness points.

import package::queries::contacts::arcs::{epaStartByArcs};
import package::kernels::contact-records::{loadEpaStart, storeEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{pairInSlot, strideOf};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    storeEpaStart(index, epaStartByArcs(loaded.pair, loaded.shapeA, loaded.shapeB, loadEpaStart(index)));
  }
}
