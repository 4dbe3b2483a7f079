// Impacts of sharp boxes that translate, by the separating axis test over time.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::queries::impacts::boxes::{impactOfBoxes};
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
  storeLinear(
    index, impactOfBoxes(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion), PASSES_PARTING
  );
}
