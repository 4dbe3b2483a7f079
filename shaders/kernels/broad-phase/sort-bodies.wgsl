// Puts the bodies in the order of their buckets, with all that a test of two bodies needs in one place. Half-spaces go
// to the end of the array, the first one last.

import package::broad-phase::bound::{GridBody, BOUND_NONE, IS_FIXED};
import package::kernels::broad-phase::bounded::{bounds, hasBox, positionOf};
import package::kernels::broad-phase::filters::{groupsOf, isFixed};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};

// By body, as count-cells writes it. It shares a buffer with `bounds`, so both are writable.
@group(0) @binding(10) var<storage, read_write> bodyCells: array<u32>;
// The first place of each bucket.
@group(0) @binding(11) var<storage, read> buckets: array<u32>;
@group(0) @binding(12) var<storage, read_write> sorted: array<GridBody>;
// By place: the least and the greatest steps of each box.
@group(0) @binding(18) var<storage, read_write> steps: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  let bound = bounds[body];
  if (bound.key == BOUND_NONE) {
    return;
  }
  let name = body | select(0u, IS_FIXED, isFixed(body));
  var place = parameters.bodyCapacity - 1u - bound.rank;
  if (hasBox(bound)) {
    place = buckets[bodyCells[2u * parameters.bodyCapacity + body]] + bound.rank;
    steps[place] = vec2u(bodyCells[body], bodyCells[parameters.bodyCapacity + body]);
  }
  sorted[place] = GridBody(positionOf(body), name, bound.offset, bound.key, bound.half, groupsOf(body));
}
