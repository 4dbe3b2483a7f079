// Where the pairs go whose impacts were searched as if the bodies translated.

import package::kernels::append::{NO_LIST};
import package::kernels::impact-records::{storeImpact, storeRotating};
import package::queries::impacts::linear::{LinearImpact};

// The lists that kernels of impacts append to: pairs for impacts-rotating, for impacts-parting, and those that
// impacts-epa leaves to impacts-cast.
const TO_MOTION: u32 = 0u;
const TO_PARTING: u32 = 1u;
const TO_CAST: u32 = 2u;

// The result of a search for bodies that translate. Returns the list that the pair goes to. Impacts of bodies that
// overlap or touch at the start are left to impacts-parting, if that kernel follows.
fn storeLinear(index: u32, found: LinearImpact, passesParting: bool) -> u32 {
  if (found.isPending) {
    storeRotating(index, found.impact, found.begin, found.isTouching);
    return TO_MOTION;
  }
  storeImpact(index, found.impact);
  return select(NO_LIST, TO_PARTING, passesParting && found.isTouching && found.impact.unclampedTime <= 0.0);
}
