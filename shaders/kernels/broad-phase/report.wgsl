// What the kernels that make bounds store and report of each body: the bound with the bin of its size, how many bodies
// there are of each size, the greatest size, and how many half-spaces and invalid bodies.

import package::broad-phase::bound::{Bound, BOUND_HALFSPACE, BOUND_NONE};
import package::broad-phase::grid::{gridSize, sizeBin, SIZE_BINS};
import package::broad-phase::state::{STATE_BINS, STATE_GREATEST, STATE_HALFSPACES, STATE_INVALID};
import package::kernels::broad-phase::positions::{distanceOf};

@group(0) @binding(5) var<storage, read_write> bounds: array<Bound>;
@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;

// Of a workgroup's bodies.
var<workgroup> counts: array<atomic<u32>, SIZE_BINS>;
// Bits of the greatest size.
var<workgroup> greatest: atomic<u32>;

// Stores the bound. Returns the bits of the body's size, or 0 if it has no box. Positive numbers are in the order of
// their bits.
fn storeBound(body: u32, position: vec3f, made: Bound) -> u32 {
  var bound = made;
  var bits = 0u;
  if (bound.key == BOUND_NONE) {
    atomicAdd(&state[STATE_INVALID], 1u);
  } else if (bound.key == BOUND_HALFSPACE) {
    bound.rank = atomicAdd(&state[STATE_HALFSPACES], 1u);
  } else {
    let size = gridSize(bound.half, distanceOf(body, position) + abs(bound.offset));
    bits = bitcast<u32>(size);
    bound.key = sizeBin(size);
    atomicAdd(&counts[bound.key], 1u);
  }
  bounds[body] = bound;
  return bits;
}

// `greatestOfOwn` has the bits of the greatest size of the invocation's bodies. All invocations of the workgroup call
// it, because it has a barrier.
fn reportSizes(localIndex: u32, greatestOfOwn: u32) {
  atomicMax(&greatest, greatestOfOwn);
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
