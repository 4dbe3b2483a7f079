// Sizes the caller's next pass for all pairs that were written.

import package::broad-phase::state::{STATE_PAIRS};
import package::kernels::records::{storeDispatch};

@group(0) @binding(6) var<storage, read> state: array<u32>;

@compute @workgroup_size(1)
fn main() {
  storeDispatch(state[STATE_PAIRS]);
}
