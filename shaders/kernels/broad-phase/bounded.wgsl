// Bodies with boxes, and their places in the grid.

import package::broad-phase::bound::{Bound, BOUND_HALFSPACE};
import package::kernels::broad-phase::parameters::{IS_PLANAR};

// Rows of Pose or PlanarPose.
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> bounds: array<Bound>;

fn hasBox(bound: Bound) -> bool {
  return bound.key < BOUND_HALFSPACE;
}

fn positionOf(body: u32) -> vec3f {
  let row = poses[select(2u, 1u, IS_PLANAR) * body];
  return vec3f(row.xy, select(row.z, 0.0, IS_PLANAR));
}
