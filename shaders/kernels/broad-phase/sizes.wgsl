// Counts the bodies of each size, and finds the greatest size. Bodies whose groups meet none are left out from here on.

import package::broad-phase::bound::{meetAny, BOUND_NONE};
import package::broad-phase::grid::{gridSize, sizeBin, SIZE_BINS, SIZE_FIXED};
import package::broad-phase::state::{STATE_BINS, STATE_GREATEST};
import package::kernels::broad-phase::bounded::{bounds, hasBox, positionOf};
import package::kernels::broad-phase::filters::{groupsOf, isFixed};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};
import package::kernels::broad-phase::positions::{distanceOf};

@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;

var<workgroup> counts: array<atomic<u32>, SIZE_BINS>;
// Bits of the greatest size. Positive numbers are in the order of their bits.
var<workgroup> greatest: atomic<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body < bodyCount()) {
    let bound = bounds[body];
    if (hasBox(bound) && meetAny(groupsOf(body))) {
      let size = gridSize(bound.half, distanceOf(body, positionOf(body)) + abs(bound.offset));
      let bin = sizeBin(size);
      atomicMax(&greatest, bitcast<u32>(size));
      bounds[body].key = bin | select(0u, SIZE_FIXED, isFixed(body));
      atomicAdd(&counts[bin], 1u);
    } else if (hasBox(bound)) {
      bounds[body].key = BOUND_NONE;
    }
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    atomicMax(&state[STATE_GREATEST], atomicLoad(&greatest));
  }
  for (var bin = localIndex; bin < SIZE_BINS; bin += 256u) {
    let count = atomicLoad(&counts[bin]);
    if (count != 0u) {
      atomicAdd(&state[STATE_BINS + bin], count);
    }
  }
}
