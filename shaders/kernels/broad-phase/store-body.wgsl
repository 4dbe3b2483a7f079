// Stores bodies for the tests of two bodies. The offset and the groups are each stored only if load-body.wgsl loads
// them. The caller says whether the box is off centre: count-cells has the offset at hand, sort-bodies has not.

import package::broad-phase::bound::{GridBody, ALL_GROUPS, HAS_GROUPS, IS_FIXED, IS_OFF_CENTRE};
import package::kernels::broad-phase::bounded::{bounds, positionOf};
import package::kernels::broad-phase::filters::{groupsOf, isFixed};

@group(0) @binding(12) var<storage, read_write> bodies: array<GridBody>;

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
