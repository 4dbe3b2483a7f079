// What accept-impacts says of the impact of a pair of parts to first-impact, in the record of the impact.

import package::shared::math::{EPSILON};
import package::shared::results::{INFO_LEAVING, INFO_TOUCHING};

// The parts overlap at the start, where the surface decides about their contact.
const INFO_OVERLAPS: u32 = INFO_TOUCHING;
// The parts overlap or touch at the start, and the bodies do not approach along the normal.
const INFO_STANDS: u32 = INFO_LEAVING;

// Bodies approach if they do so along the normal by more than this share of their speed: twice the rounding of normals
// of faces; other accepted normals may be outside of the surface's by more (ACCEPT_SLACK times NORMAL_ERROR).
const LEAST_APPROACH: f32 = 2e-6;
const LEAST_APPROACH_AT_EDGE: f32 = 1e-3;

fn approaches(velocity: vec3f, normal: vec3f, isOfFace: bool) -> bool {
  return -dot(velocity, normal) > select(LEAST_APPROACH_AT_EDGE, LEAST_APPROACH, isOfFace) * length(velocity);
}

// Parts only touch if they overlap by no more than this share of the size of the body that is not the surface's, and so
// many ULPS of the distance of both bodies' positions. Both are four times what the CPU takes, as depths are f32.
const LEAST_OVERLAP: f32 = 8e-6;
const POSITION_ULPS: f32 = 4.0;

// The overlap up to which parts only touch. `size`: of the other body. `distance`: of both positions.
fn leastOverlap(size: f32, distance: f32) -> f32 {
  return LEAST_OVERLAP * size + POSITION_ULPS * EPSILON * distance;
}
