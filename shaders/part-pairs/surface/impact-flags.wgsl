// What accept-impacts says of the impact of a pair of parts to first-impact, in the record of the impact.

import package::shared::math::{EPSILON};
import package::shared::results::{INFO_CLOSING, INFO_LEAVING, INFO_ROTATING, INFO_TOUCHING};

// The parts overlap at the start, where the surface decides about their contact.
const INFO_OVERLAPS: u32 = INFO_TOUCHING;
// The parts overlap or touch at the start, and the bodies do not approach along the normal.
const INFO_STANDS: u32 = INFO_LEAVING;
// One of the bodies rotates. If they overlap at the start, the impact is one after they have passed there.
const INFO_TURNS: u32 = INFO_ROTATING;
// With INFO_OVERLAPS and INFO_TURNS: the kernel's contact at the start has an accepted normal, along which they
// approach.
const INFO_APPROACHES: u32 = INFO_CLOSING;

// Bodies approach if they do so along the normal by more than this share of their speed: twice the rounding of normals
// of faces; other accepted normals may be outside of the surface's by more (ACCEPT_SLACK times NORMAL_ERROR).
const LEAST_APPROACH: f32 = 2e-6;
const LEAST_APPROACH_AT_EDGE: f32 = 1e-3;

// The same if one of them rotates, as a share of the speeds of their points there.
const LEAST_APPROACH_TURNING: f32 = 1e-2;

fn approaches(velocity: vec3f, normal: vec3f, isOfFace: bool) -> bool {
  return -dot(velocity, normal) > select(LEAST_APPROACH_AT_EDGE, LEAST_APPROACH, isOfFace) * length(velocity);
}

// Two bodies that rotate, at a point relative to A's position.
struct TurningPoint {
  // Of B's position minus A's, and its rate.
  offset: vec3f,
  velocity: vec3f,
  spinA: vec3f,
  spinB: vec3f,
  point: vec3f,
}

fn approachesAt(at: TurningPoint, normal: vec3f) -> bool {
  let lever = at.point - at.offset;
  let velocity = at.velocity + cross(at.spinB, lever) - cross(at.spinA, at.point);
  let speed = length(at.velocity) + length(at.spinA) * length(at.point) + length(at.spinB) * length(lever);
  return -dot(velocity, normal) > LEAST_APPROACH_TURNING * speed;
}

// Parts only touch if they overlap by no more than this share of the size of the body that is not the surface's, and so
// many ULPS of the distance of both bodies' positions. Both are four times what the CPU takes, as depths are f32.
const LEAST_OVERLAP: f32 = 8e-6;
const POSITION_ULPS: f32 = 4.0;

// The overlap up to which parts only touch. `size`: of the other body. `distance`: of both positions.
fn leastOverlap(size: f32, distance: f32) -> f32 {
  return LEAST_OVERLAP * size + POSITION_ULPS * EPSILON * distance;
}
