// The numbers of pairs of the rays of a batch.

import package::broad-phase::state::{STATE_INVALID};
import package::kernels::broad-phase::parameters::{parameters};
import package::shared::results::{COUNTS_CANDIDATES, COUNTS_PAIRS, COUNTS_PAIR_OVERFLOW};

@group(0) @binding(2) var<storage, read> blockTotals: array<vec2u>;
// That of the tree.
@group(0) @binding(6) var<storage, read> state: array<u32>;
@group(0) @binding(25) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(1)
fn main() {
  let total = blockTotals[parameters.blockCount];
  let isWide = total.y != 0u;
  let written = select(min(total.x, parameters.pairCapacity), parameters.pairCapacity, isWide);
  let rest = total.x - written;
  counts[COUNTS_PAIRS] = written;
  // Beyond 32 bits, as many as fit.
  counts[COUNTS_PAIR_OVERFLOW] = select(rest, 0xffffffffu, isWide && (total.y > 1u || total.x >= written));
  counts[COUNTS_CANDIDATES] = total.x;
  counts[COUNTS_CANDIDATES + 1u] = total.y;
  counts[COUNTS_CANDIDATES + 2u] = state[STATE_INVALID];
}
