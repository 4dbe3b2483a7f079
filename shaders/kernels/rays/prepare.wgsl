// Makes the rays that boxes are tested with.

import package::broad-phase::ray-box::{makeRay};
import package::broad-phase::tree::{TREE_ORIGIN};
import package::kernels::broad-phase::bounded::{poses, positionOf};
import package::kernels::broad-phase::parameters::{invocationIndex, IS_PLANAR};
import package::kernels::broad-phase::positions::{positionDifference};
import package::kernels::rays::rays::{bodyOfRay, maxTimes, rayCount, rays};
import package::kernels::tree::state::{tree};

// Rows of Velocity or PlanarVelocity.
@group(0) @binding(7) var<storage, read> velocities: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ray = invocationIndex(workgroupId, localIndex);
  if (ray >= rayCount()) {
    return;
  }
  let body = bodyOfRay(ray);
  let rows = select(2u, 1u, IS_PLANAR);
  let centre = tree[TREE_ORIGIN];
  let velocity = velocities[rows * body];
  rays[ray] = makeRay(
    positionDifference(centre, positionOf(centre), body, positionOf(body)),
    vec3f(velocity.xy, select(velocity.z, 0.0, IS_PLANAR)),
    // The scale of the pose.
    poses[rows * body].w,
    maxTimes[ray]
  );
}
