// Puts the bodies in the order of their buckets, with all that a test of two bodies needs in one place. Half-spaces go
// to the end of the array, the first one last.

import package::broad-phase::bound::{
  GridBody, ALL_GROUPS, BOUND_HALFSPACE, BOUND_NONE, HAS_GROUPS, IS_FIXED, IS_OFF_CENTRE
};
import package::kernels::broad-phase::bounded::{bounds, positionOf};
import package::kernels::broad-phase::filters::{groupsOf, isFixed};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};

// By body, as count-cells writes it. It shares a buffer with `bounds`, so both are writable.
@group(0) @binding(10) var<storage, read_write> bodyCells: array<u32>;
// The first place of each bucket.
@group(0) @binding(11) var<storage, read> buckets: array<u32>;
@group(0) @binding(12) var<storage, read_write> bodies: array<GridBody>;
// By place: the least and the greatest steps of each box.
@group(0) @binding(18) var<storage, read_write> steps: array<vec2u>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  let key = bounds[body].key;
  let rank = bounds[body].rank;
  if (key == BOUND_NONE) {
    return;
  }
  if (key == BOUND_HALFSPACE) {
    // The offset is the normal, which is not 0.
    storeBody(parameters.bodyCapacity - 1u - rank, body, key, true);
    return;
  }
  let place = buckets[bodyCells[2u * parameters.bodyCapacity + body]] + (rank & ~IS_OFF_CENTRE);
  steps[place] = vec2u(bodyCells[body], bodyCells[parameters.bodyCapacity + body]);
  storeBody(place, body, key, (rank & IS_OFF_CENTRE) != 0u);
}

// The offset and the groups are each stored only if load-body.wgsl loads them.
fn storeBody(place: u32, number: u32, key: u32, isOffCentre: bool) {
  let groups = groupsOf(number);
  let hasGroups = groups != ALL_GROUPS;
  bodies[place].position = positionOf(number);
  bodies[place].body = number | select(0u, IS_FIXED, isFixed(number)) | select(0u, IS_OFF_CENTRE, isOffCentre) |
      select(0u, HAS_GROUPS, hasGroups);
  bodies[place].half = bounds[number].half;
  bodies[place].key = key;
  if (hasGroups) {
    bodies[place].groups = groups;
  }
  if (isOffCentre) {
    bodies[place].offset = bounds[number].offset;
  }
}
