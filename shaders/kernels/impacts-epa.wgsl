// Impacts of bodies that translate, by velocity EPA. Pairs that it leaves open are left to impacts-cast.

import package::polytope::private as package::polytope::memory;
import package::polytope::medium as package::polytope::capacity;
import package::polytope::crossing as package::polytope::rank;
import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{INFO_STATUS_MASK, STATUS_INVALID_INPUT, STATUS_NOT_CONVERGED};
import package::queries::impacts::epa::{impactByEpa};
import package::kernels::append::{appendAlone, NO_LIST};
import package::kernels::impact-lists::{storeLinear, TO_CAST};
import package::kernels::impact-records::{storeNothing};
import package::kernels::load-pair::{loadBodies};
import package::kernels::parameters::{pairInSlot, strideOf};
import package::kernels::velocities::{loadMotion};
import package::queries::impacts::times::{PASSES_PARTING};

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bodies = loadBodies(index);
    let input = loadMotion(bodies);
    if (!bodies.isValid || !input.isValid) {
      storeNothing(index, STATUS_INVALID_INPUT);
      continue;
    }
    let found = impactByEpa(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion);
    if ((found.impact.info & INFO_STATUS_MASK) == STATUS_NOT_CONVERGED) {
      appendAlone(index, TO_CAST);
      continue;
    }
    let toList = storeLinear(index, found, PASSES_PARTING);
    if (toList != NO_LIST) {
      appendAlone(index, toList);
    }
  }
}
