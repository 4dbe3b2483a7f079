// The number of all pairs of each owner.

import package::kernels::broad-phase::owners::{owners, rowLength, MOST_RANKED};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let owner = invocationIndex(workgroupId, localIndex);
  if (owner >= bodyCount()) {
    return;
  }
  // Those that were counted when all ranks were given have none.
  let counted = atomicLoad(&owners[rowLength() + owner]);
  let ranked = min(counted, MOST_RANKED);
  let late = atomicLoad(&owners[2u * rowLength() + owner]) + counted - ranked;
  atomicStore(&owners[rowLength() + owner], ranked);
  atomicStore(&owners[2u * rowLength() + owner], late);
  atomicStore(&owners[owner], atomicLoad(&owners[owner]) + ranked + late);
}
