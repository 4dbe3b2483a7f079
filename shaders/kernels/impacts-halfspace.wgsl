// Impacts of half-spaces and bodies that translate. Rotating pairs that don't overlap are left to impacts-rotating.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::impacts::halfspace::{halfspaceImpact};
import package::kernels::impact-records::{storeNothing, storeLinear};
import package::kernels::input::{loadBodies};
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
  let found = halfspaceImpact(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
  storeLinear(index, found, PASSES_PARTING);
}
