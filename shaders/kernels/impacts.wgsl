// Impacts of bodies that translate. Rotating pairs that don't overlap are left to impacts-rotating.

@kernel(impacts-boxes)     // sharp boxes, by the separating axis test over time
@kernel(impacts-cast)      // any pair of bounded shapes, by casts
@kernel(impacts-halfspace) // pairs with half-spaces

import package::shared::results::{STATUS_INVALID_INPUT};
@if(impacts-boxes) import package::queries::impacts::boxes::{impactOfBoxes};
@if(impacts-cast) import package::queries::impacts::cast::{impactByCasts};
@if(impacts-halfspace) import package::queries::impacts::halfspace::{halfspaceImpact};
import package::kernels::impact-records::{storeLinear, storeNothing};
import package::kernels::load-pair::{loadBodies};
import package::kernels::parameters::{pairIndex, NO_PAIR};
import package::kernels::velocities::{loadMotion, PASSES_PARTING};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  if (!bodies.isValid || !input.isValid) {
    storeNothing(index, STATUS_INVALID_INPUT);
    return;
  }
  @if(impacts-boxes) let found = impactOfBoxes(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  @if(impacts-cast) let found = impactByCasts(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  @if(impacts-halfspace) let found = halfspaceImpact(
    bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  storeLinear(index, found, PASSES_PARTING);
}
