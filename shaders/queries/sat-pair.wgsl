// Whether SAT takes a pair in place of a closed form.

import package::shared::shapes::{CORE_BOX};

// Whether there are pairs of boxes for SAT, and pairs for closed forms. Kernels are compiled without what no pair
// needs.
override HAS_SAT: bool = false;
override HAS_CLOSED: bool = true;

fn isSatPair(kindA: u32, kindB: u32) -> bool {
  return HAS_SAT && (!HAS_CLOSED || (kindA == CORE_BOX && kindB == CORE_BOX));
}
