// Normals around a normal.

import package::shared::math::{perpendicular};

// Two directions across the normal, then the normal.
fn frameOf(normal: vec3f) -> mat3x3f {
  let across = perpendicular(normal);
  return mat3x3f(across, cross(normal, across), normal);
}

// The normal that is `offset` off the frame's.
fn tilted(frame: mat3x3f, offset: vec2f) -> vec3f {
  return normalize(frame * vec3f(offset, 1.0));
}

fn turnedBySixth(at: vec2f) -> vec2f {
  return vec2f(0.5 * at.x - 0.8660254 * at.y, 0.8660254 * at.x + 0.5 * at.y);
}
