// The bodies by their numbers, with all that a test of two bodies needs in one place, and their boxes in world
// coordinates, for the test of all pairs.

import package::broad-phase::bound::{isOffCentre};
import package::broad-phase::outer-box::{outerBox, OuterBox};
import package::kernels::broad-phase::bounded::{bounds, positionOf};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};
import package::kernels::broad-phase::positions::{roundedPosition};
import package::kernels::broad-phase::store-body::{storeBody};

@group(0) @binding(10) var<storage, read_write> outerBoxes: array<OuterBox>;
@group(0) @binding(17) var<storage, read_write> mostTests: u32;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  if (body == 0u) {
    mostTests = bodyCount() - 1u;
  }
  let bound = bounds[body];
  storeBody(body, body, bound.key, isOffCentre(bound));
  outerBoxes[body] = outerBox(roundedPosition(body, positionOf(body)), bound);
}
