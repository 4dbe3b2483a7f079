// The list of pairs of parts in its order: all pairs of bodies, then all parts of A, then all parts of B.

import package::kernels::part-pairs::parameters::{parameters};
import package::part-pairs::records::{PartPair};

@group(0) @binding(1) var<storage, read> found: array<PartPair>;
@group(0) @binding(2) var<storage, read> entries: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> columns: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  for (var at = id.x; at < parameters.listCount; at += 256u * workgroups.x) {
    let parts = found[entries[at].y];
    columns[at] = parts.pair;
    columns[parameters.listCount + at] = parts.a;
    columns[2u * parameters.listCount + at] = parts.b;
  }
}
