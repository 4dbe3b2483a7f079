// Impacts of rotating bodies, by conservative advancement. impacts-cast, -halfspace and -parting left these pairs and
// found them valid.

@kernel(impacts-rotating)          // pairs of bodies
@kernel(impacts-rotating-surfaces) // pairs of parts, of which surfaces may judge

@if(impacts-rotating) import package::part-pairs::surface::untouched as package::touched-surface;
@if(impacts-rotating-surfaces) import package::kernels::part-pairs::touched as package::touched-surface;
import package::queries::impacts::rotating::{rotatingImpact};
import package::kernels::impact-records::{loadRotating, storeImpact};
import package::kernels::load-pair::{loadBodies};
import package::kernels::parameters::{pairIndex, pairInSlot, strideOf, NO_PAIR};
import package::kernels::velocities::{loadMotion};
@if(impacts-rotating) import package::touched-surface::{TouchedSurface};
@if(impacts-rotating-surfaces) import package::touched-surface::{touchedBy};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index != NO_PAIR) {
    storeAnswer(index);
  }
}

@compute @workgroup_size(64)
fn strided(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    storeAnswer(pairInSlot(slot));
  }
}

fn storeAnswer(index: u32) {
  let bodies = loadBodies(index);
  let input = loadMotion(bodies);
  @if(impacts-rotating) let touched = TouchedSurface();
  @if(impacts-rotating-surfaces) let touched = touchedBy(index, bodies);
  let found = rotatingImpact(
    bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, input.motion, loadRotating(index), touched
  );
  storeImpact(index, found);
}
