// What the kernels that make bounds report of each body.

import package::broad-phase::bound::{Bound, BOUND_HALFSPACE, BOUND_NONE};
import package::broad-phase::state::{STATE_HALFSPACES, STATE_INVALID};

@group(0) @binding(5) var<storage, read_write> bounds: array<Bound>;
@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;

// `key` is the key of the body's bound, which is stored.
fn reportBound(body: u32, key: u32) {
  if (key == BOUND_NONE) {
    atomicAdd(&state[STATE_INVALID], 1u);
  } else if (key == BOUND_HALFSPACE) {
    bounds[body].rank = atomicAdd(&state[STATE_HALFSPACES], 1u);
  }
}
