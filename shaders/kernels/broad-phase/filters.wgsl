// Which bodies can be paired.

import package::broad-phase::bound::{ALL_GROUPS};
import package::kernels::broad-phase::parameters::{parameters};

@group(0) @binding(8) var<storage, read> groups: array<u32>;
// Not 0: the body is fixed.
@group(0) @binding(9) var<storage, read> fixedBodies: array<u32>;

fn groupsOf(body: u32) -> u32 {
  if (parameters.hasGroups != 0u) {
    return groups[body];
  }
  return ALL_GROUPS;
}

fn isFixed(body: u32) -> bool {
  if (parameters.hasFixed != 0u) {
    return fixedBodies[body] != 0u;
  }
  return false;
}
