// Which corner or edge of a core lies in the contact line: kind << 30 | index, read off the core and the normal.
// Corners have the numbers that callers know them by (support.wgsl), edges that of the corner that they start at,
// counter-clockwise; a segment's edge is 0.

import package::shared::constants::{FEATURE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::results::{FEATURE_VERTEX, FEATURE_EDGE};
import package::planar::shapes::{PlanarCore, PLANAR_POINT, PLANAR_SEGMENT};
import package::planar::support::{corner, cornerAfter, cornerBefore, pointNumber};

// The feature of the core farthest along `direction`, a unit vector in the body's frame, to which the corner `farthest`
// belongs.
fn feature(core: PlanarCore, direction: vec2f, farthest: u32) -> u32 {
  if (core.kind == PLANAR_POINT) {
    return FEATURE_VERTEX | pointNumber(core, farthest);
  }
  let before = cornerBefore(core, farthest);
  let position = corner(core, farthest).position;
  let isBefore = dot(direction, position - corner(core, before).position) <= FEATURE_ULPS * EPSILON;
  let isAfter = dot(direction, position - corner(core, cornerAfter(core, farthest)).position) <= FEATURE_ULPS * EPSILON;
  if (core.kind == PLANAR_SEGMENT && isAfter) {
    return FEATURE_EDGE;
  }
  if (isBefore || isAfter) {
    return FEATURE_EDGE | pointNumber(core, select(before, farthest, isAfter));
  }
  return FEATURE_VERTEX | pointNumber(core, farthest);
}
