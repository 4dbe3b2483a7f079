// Impacts of pairs of the plane. Times may be infinite: records are stored as integers, two rows of 16 bytes each.

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{pairIndex, KIND_A, KIND_B, NO_PAIR};
import package::kernels::planar::input::{loadBodies, withKnown, RUNG};
import package::kernels::planar::velocities::{loadMotion, IS_TURNING};
import package::planar::queries::impacts::result::{PLANAR_NEVER};
import package::planar::queries::impacts::straight::{straightImpact};
import package::planar::queries::impacts::turning::{turningImpact};
import package::planar::results::{PlanarImpact};

@group(0) @binding(6) var<storage, read_write> results: array<vec4u>;

const INFINITY_BITS: u32 = 0x7f800000u;
const SIGN_BIT: u32 = 0x80000000u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  var result: PlanarImpact;
  result.info = STATUS_INVALID_INPUT;
  if (bodies.isValid && input.isValid) {
    let shapeA = withKnown(bodies.shapeA, KIND_A);
    let shapeB = withKnown(bodies.shapeB, KIND_B);
    let found = straightImpact(shapeA, bodies.poseA, shapeB, bodies.poseB, input.motion, RUNG);
    result = found.impact;
    if (IS_TURNING && found.isPending) {
      result = turningImpact(shapeA, bodies.poseA, shapeB, bodies.poseB, input.motion, found);
    }
  }
  var time = bitcast<u32>(result.unclampedTime);
  if (abs(result.unclampedTime) >= PLANAR_NEVER) {
    time = INFINITY_BITS | (time & SIGN_BIT);
  }
  results[2u * index] = vec4u(bitcast<vec2u>(result.normal), time, result.info);
  results[2u * index + 1u] = vec4u(bitcast<vec2u>(result.point), 0u, 0u);
}
