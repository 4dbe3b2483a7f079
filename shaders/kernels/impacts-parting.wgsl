// Impacts of bodies that overlap or touch at the start, which earlier kernels left: impacts of bodies that close in
// stay, others are cleared. Rotating bodies that part or touch are left to impacts-rotating, and parts of surfaces to
// part-pairs/accept-impacts.

import package::polytope::private as package::polytope::memory;
import package::polytope::small as package::polytope::capacity;
import package::polytope::nearest as package::polytope::rank;
import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{INFO_ITERATIONS_SHIFT};
import package::queries::impacts::parting::{passageOf, PASSAGE_PARTING, PASSAGE_STOPPED};
import package::queries::impacts::motion::{isRotating};
import package::queries::impacts::result::{noImpact};
import package::kernels::append::{appendAlone};
import package::kernels::impact-lists::{TO_MOTION};
import package::kernels::impact-records::{loadRotating, storeImpact, storeLeaving, storeSettled, storeRotating};
import package::kernels::load-pair::{loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairInSlot, strideOf};
import package::kernels::velocities::{loadMotion};
import package::part-pairs::surface::led-pair::{isLed};

// Whether the surfaces of bodies may decide.
override HAS_SURFACES: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bodies = loadBodies(index);
    if (HAS_SURFACES) {
      let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
      let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
      if (isLed(bodyA, bodyB, bodies.shapeA.kind, bodies.shapeB.kind)) {
        continue;
      }
    }
    let motion = loadMotion(bodies).motion;
    let impact = loadRotating(index);
    let found = passageOf(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, motion);
    let iterations = (impact.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
    if (found.passage == PASSAGE_STOPPED) {
      storeSettled(index, iterations);
    } else if (!isRotating(motion)) {
      storeImpact(index, noImpact(iterations));
    } else if (found.passage == PASSAGE_PARTING) {
      storeLeaving(index, iterations);
      appendAlone(index, TO_MOTION);
    } else {
      storeRotating(index, impact, 0.0, true);
      appendAlone(index, TO_MOTION);
    }
  }
}
