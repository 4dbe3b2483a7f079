// Copies the bodies of a batch, which rest, to the buffers that hold bodies and rays.

import package::broad-phase::ray-hit::{NO_BODY};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters, IS_PLANAR};
import package::kernels::rays::joined::{bodyShapes, groups, poses, velocities};

// As the batch's caller has them. Rows of Pose or PlanarPose.
@group(0) @binding(22) var<storage, read> givenPoses: array<vec4f>;
@group(0) @binding(23) var<storage, read> givenShapes: array<u32>;
@group(0) @binding(24) var<storage, read> givenGroups: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  let rows = select(2u, 1u, IS_PLANAR);
  for (var row = rows * body; row < rows * (body + 1u); row++) {
    poses[row] = givenPoses[row];
    velocities[row] = vec4f(0.0);
  }
  // No shape has the id NO_BODY. The last shape is that of a ray, which no body has.
  bodyShapes[body] = select(NO_BODY, givenShapes[body], givenShapes[body] < parameters.rayShape);
  groups[body] = givenGroups[body];
}
