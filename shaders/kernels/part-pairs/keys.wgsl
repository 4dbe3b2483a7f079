// The keys that the list of pairs of parts is sorted by next (kernels/tree/sort.wgsl), each with its place in the list.

import package::kernels::part-pairs::parameters::{parameters};
import package::part-pairs::records::{PartPair, IS_OPEN};

@group(0) @binding(1) var<storage, read> found: array<PartPair>;
@group(0) @binding(2) var<storage, read_write> entries: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  for (var at = id.x; at < parameters.listCount; at += 256u * workgroups.x) {
    let place = select(entries[at].y, at, parameters.isFirst != 0u);
    entries[at] = vec2u(keyOf(found[place]), place);
  }
}

fn keyOf(parts: PartPair) -> u32 {
  if (parameters.word == 0u) {
    return parts.pair;
  }
  return select(parts.b, parts.a & ~IS_OPEN, parameters.word == 1u);
}
