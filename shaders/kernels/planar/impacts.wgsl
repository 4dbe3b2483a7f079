// Impacts of bodies in 2-D that translate. Rotating pairs that don't overlap are left to impacts-rotating.

import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::append::{appendAlone, appendTogether, NO_LIST};
import package::kernels::parameters::{pairIndex, pairInSlot, strideOf, KIND_A, KIND_B, NO_PAIR};
import package::kernels::planar::impact-records::{storeImpact, storeRotating};
import package::kernels::planar::led-pair::{ledPair};
import package::kernels::planar::load-pair::{loadBodies, specialise, LEAD_STAGE};
import package::kernels::planar::velocities::{loadMotion, IS_ROTATING};
import package::part-pairs::surface::impact-flags::{leastOverlap};
import package::planar::queries::impacts::linear::{linearImpact};
import package::planar::queries::impacts::motion::{isRotating};
import package::planar::results::{PlanarImpact};

// Whether the surfaces of bodies may decide.
override HAS_SURFACES: bool = false;

// The list that it appends to: pairs for impacts-rotating.
const TO_MOTION: u32 = 0u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var toList = NO_LIST;
  if (index != NO_PAIR) {
    toList = storeAnswer(index);
  }
  appendTogether(index, toList, localIndex);
}

@compute @workgroup_size(64)
fn strided(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let toList = storeAnswer(index);
    if (toList != NO_LIST) {
      appendAlone(index, toList);
    }
  }
}

// Returns the list that the pair goes to.
fn storeAnswer(index: u32) -> u32 {
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  if (!bodies.isValid || !input.isValid) {
    storeImpact(index, PlanarImpact(vec2f(0.0), 0.0, STATUS_INVALID_INPUT, vec2f(0.0), vec2f(0.0)));
    return NO_LIST;
  }
  var motion = input.motion;
  let led = ledPair(bodies);
  let isLed = HAS_SURFACES && led.isLed;
  let turns = IS_ROTATING && isRotating(motion);
  // Surfaces decide later.
  motion.passesParting &= !(isLed && !turns);
  var found = linearImpact(specialise(bodies.shapeA, KIND_A), bodies.poseA, specialise(bodies.shapeB, KIND_B),
      bodies.poseB, motion, LEAD_STAGE);
  if (isLed && turns && motion.passesParting) {
    // first-impact takes the contact at the start, if they approach along its normal.
    let least = leastOverlap(select(led.reaches.x, led.reaches.y, led.isFirst), length(bodies.offset));
    found.passes = found.overlap > least;
    found.end = select(found.end, motion.duration, found.passes);
    found.isPending |= found.passes;
  }
  if (IS_ROTATING && found.isPending) {
    storeRotating(index, found);
    return TO_MOTION;
  }
  storeImpact(index, found.impact);
  return NO_LIST;
}
