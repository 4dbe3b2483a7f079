// Impacts of rotating bodies in 2-D, by conservative advancement. The kernel `impacts` left these pairs and found
// them valid.

@kernel(impacts-rotating)          // pairs of bodies
@kernel(impacts-rotating-surfaces) // pairs of parts, of which surfaces may judge

@if(impacts-rotating) import package::planar::surface::untouched as package::planar::touched-surface;
@if(impacts-rotating-surfaces) import package::planar::surface::touched as package::planar::touched-surface;
import package::kernels::parameters::{pairIndex, pairInSlot, strideOf, KIND_A, KIND_B, NO_PAIR};
import package::kernels::planar::impact-records::{loadRotating, storeImpact};
import package::kernels::planar::load-pair::{loadBodies, specialise};
@if(impacts-rotating-surfaces) import package::kernels::planar::touched-by::{touchedBy};
import package::kernels::planar::velocities::{loadMotion};
import package::planar::queries::impacts::rotating::{rotatingImpact};
@if(impacts-rotating) import package::planar::touched-surface::{TouchedSurface};

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
  let shapeA = specialise(bodies.shapeA, KIND_A);
  let shapeB = specialise(bodies.shapeB, KIND_B);
  @if(impacts-rotating) let touched = TouchedSurface();
  @if(impacts-rotating-surfaces) let touched = touchedBy(index, bodies);
  storeImpact(
    index, rotatingImpact(shapeA, bodies.poseA, shapeB, bodies.poseB, input.motion, loadRotating(index), touched)
  );
}
