// Impacts of bodies that translate. Rotating pairs that don't overlap are left to impacts-rotating, and bodies that
// overlap or touch at the start to impacts-parting, if that kernel follows.

@kernel(impacts-cast)   // any pair of bounded shapes, by casts
@kernel(impacts-closed) // pairs with half-spaces, and sharp boxes by the separating axis test over time

import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{STATUS_INVALID_INPUT};
@if(impacts-cast) import package::queries::impacts::cast::{impactByCasts};
@if(impacts-closed) import package::queries::impacts::closed::{impactByClosedForm};
import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::impact-lists::{storeLinear};
import package::kernels::impact-records::{storeNothing};
import package::kernels::load-pair::{loadBodies};
import package::kernels::parameters::{pairIndex, NO_PAIR};
import package::kernels::velocities::{loadMotion};
import package::queries::impacts::times::{PASSES_PARTING};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var toList = NO_LIST;
  if (index != NO_PAIR) {
    toList = storeAnswer(index);
  }
  appendTogether(index, toList, localIndex);
}

// Returns the list that the pair goes to.
fn storeAnswer(index: u32) -> u32 {
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  if (!bodies.isValid || !input.isValid) {
    storeNothing(index, STATUS_INVALID_INPUT);
    return NO_LIST;
  }
  @if(impacts-cast) let found = impactByCasts(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  @if(impacts-closed) let found = impactByClosedForm(
    bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion
  );
  return storeLinear(index, found, PASSES_PARTING);
}
