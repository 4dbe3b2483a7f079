// Impacts of bodies in straight motion. Pairs that turn and do not overlap are left to impacts-turning.

@kernel(impacts-boxes) // sharp boxes, by the separating axis test
@kernel(impacts-cast)  // any pair of bounded shapes, by casts
@kernel(impacts-plane) // pairs with half-spaces

import package::shared::results::{STATUS_INVALID_INPUT};
@if(impacts-boxes) import package::queries::impacts::boxes::{impactOfBoxes};
@if(impacts-cast) import package::queries::impacts::cast::{impactByCasts};
@if(impacts-plane) import package::queries::impacts::plane::{planeImpact};
import package::kernels::impact-records::{storeNothing, storeStraight};
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
  @if(impacts-plane) let found = planeImpact(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  storeStraight(index, found, PASSES_PARTING);
}
