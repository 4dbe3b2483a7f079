// The pair of each body's first impact; 0xffffffff for bodies without an impact.

import package::kernels::earliest::{firstImpacts};
import package::kernels::parameters::{parameters};

@group(0) @binding(10) var<storage, read_write> first: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (body < parameters.bodyCount) {
    first[body] = ~atomicLoad(&firstImpacts[3u * body + 2u]);
  }
}
