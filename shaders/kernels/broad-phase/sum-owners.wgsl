// The number of all pairs of each owner.

import package::kernels::broad-phase::owners::{owners, rowLength, MOST_RANKED};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let owner = invocationIndex(workgroupId, localIndex);
  if (owner >= bodyCount()) {
    return;
  }
  let own = atomicLoad(&owners[owner]);
  let counted = atomicLoad(&owners[rowLength() + owner]);
  let late = atomicLoad(&owners[2u * rowLength() + owner]);
  atomicStore(&owners[owner], own + counted + late);
  // Those that were counted when all ranks were given have none.
  if (counted > MOST_RANKED) {
    atomicStore(&owners[rowLength() + owner], MOST_RANKED);
    atomicStore(&owners[2u * rowLength() + owner], late + counted - MOST_RANKED);
  }
}
