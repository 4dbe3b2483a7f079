// Whether SAT takes a pair in place of a closed form.

import package::shared::shapes::{CORE_BOX};

// Whether there are pairs of boxes for SAT.
override HAS_SAT: bool = false;
// Whether there may be pairs for closed forms. Only the kernel of impacts has to be told: kinds that all pairs have are
// constants in the others, so that these are compiled without what no pair needs.
override HAS_CLOSED: bool = true;

fn isSatPair(kindA: u32, kindB: u32) -> bool {
  return HAS_SAT && (!HAS_CLOSED || (kindA == CORE_BOX && kindB == CORE_BOX));
}
