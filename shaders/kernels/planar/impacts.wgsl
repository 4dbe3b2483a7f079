// Impacts of pairs of the plane in straight motion; those that turn and don't overlap are left to impacts-turning.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{pairIndex, KIND_A, KIND_B, NO_PAIR};
import package::kernels::planar::impact-records::{storeImpact, storeTurning};
import package::kernels::planar::load-pair::{loadBodies, specialise, RUNG};
import package::kernels::planar::velocities::{loadMotion, IS_TURNING};
import package::planar::queries::impacts::straight::{straightImpact};
import package::planar::results::{PlanarImpact};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  if (!bodies.isValid || !input.isValid) {
    storeImpact(index, PlanarImpact(vec2f(0.0), 0.0, STATUS_INVALID_INPUT, vec2f(0.0), vec2f(0.0)));
    return;
  }
  let found = straightImpact(specialise(bodies.shapeA, KIND_A), bodies.poseA, specialise(bodies.shapeB, KIND_B),
      bodies.poseB, input.motion, RUNG);
  if (IS_TURNING && found.isPending) {
    storeTurning(index, found);
  } else {
    storeImpact(index, found.impact);
  }
}
