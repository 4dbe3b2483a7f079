// Impacts of bodies that overlap or touch at the start, which earlier kernels left: impacts of bodies that close in
// stay, others are cleared. Rotating bodies that part or touch are left to impacts-rotating. Parts of surfaces are left
// to part-pairs/accept-impacts, or if they rotate to impacts-rotating-surfaces.

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
import package::kernels::impact-records::{
  loadRotating, storeImpact, storeLeaving, storePassing, storeRotating, storeSettled
};
import package::kernels::load-pair::{loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairInSlot, strideOf};
import package::kernels::velocities::{loadMotion};
import package::part-pairs::surface::impact-flags::{leastOverlap};
import package::part-pairs::surface::led-pair::{isLed, leadsA};

// Whether the surfaces of bodies may decide.
override HAS_SURFACES: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let bodies = loadBodies(index);
    let motion = loadMotion(bodies).motion;
    var areLed = false;
    var least = 0.0;
    if (HAS_SURFACES) {
      let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
      let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
      areLed = isLed(bodyA, bodyB, bodies.shapeA.kind, bodies.shapeB.kind);
      if (areLed && !isRotating(motion)) {
        continue;
      }
      let reachA = bodyA.boundingRadius * bodies.poseA.scale;
      let reachB = bodyB.boundingRadius * bodies.poseB.scale;
      least = leastOverlap(select(reachA, reachB, leadsA(bodyA, bodyB)), length(bodies.offset));
    }
    let impact = loadRotating(index);
    let found = passageOf(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, motion);
    let iterations = (impact.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
    // first-impact takes the contact at the start, if they approach along its normal.
    let passes = areLed && found.overlap > least;
    if (found.passage == PASSAGE_STOPPED && !areLed) {
      storeSettled(index, iterations);
    } else if (!isRotating(motion)) {
      storeImpact(index, noImpact(iterations));
    } else if (passes) {
      storePassing(index, iterations, found.normal);
      appendAlone(index, TO_MOTION);
    } else if (found.passage == PASSAGE_PARTING) {
      storeLeaving(index, iterations);
      appendAlone(index, TO_MOTION);
    } else {
      storeRotating(index, impact, 0.0, true);
      appendAlone(index, TO_MOTION);
    }
  }
}
