// What kernels know of the adapter.

import package::shared::pair::{Pair};

// Whether the kernel loads side by side. Software adapters are slow to compile what kernels load and inline, lavapipe
// above all: for each number that is loaded it makes two branches for each of eight lanes. So their kernels load in
// loops that compilers can't unroll, and so do some kernels on graphics cards (src/gpu/adapter-class.ts).
override UNROLLS_LOADS: bool = false;

// The number of bodies of a pair, 2, for loops that compilers for software adapters can't unroll: they don't know that
// a unit is positive.
fn bodiesOf(pair: Pair) -> u32 {
  return select(select(0u, 2u, pair.unit > 0.0), 2u, UNROLLS_LOADS);
}
