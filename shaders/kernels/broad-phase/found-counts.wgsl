// The numbers of pairs that the broad phase reports.

import package::broad-phase::state::{STATE_CANDIDATES, STATE_OVERFLOW, STATE_PAIRS};
import package::kernels::broad-phase::parameters::{parameters};

// Sums of the scan of the owners' counts, the last one of all pairs.
@group(0) @binding(2) var<storage, read> blockTotals: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> state: array<atomic<u32>>;

// `written` pairs are those of owners whose pairs are all written.
fn storeCounts(written: u32) {
  let total = blockTotals[parameters.blockCount];
  let rest = total.x - written;
  let isWide = total.y - select(0u, 1u, total.x < written) != 0u;
  atomicStore(&state[STATE_PAIRS], written);
  atomicStore(&state[STATE_OVERFLOW], select(rest, 0xffffffffu, isWide));
  atomicStore(&state[STATE_CANDIDATES], total.x);
  atomicStore(&state[STATE_CANDIDATES + 1u], total.y);
}
