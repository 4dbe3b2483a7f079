// Contact faces that are lines: of a capsule, and of an edge of a rounded polytope. The line is the axis or edge, moved
// by the radius along the part of the direction that is perpendicular to it, so that it lies on the surface whatever
// the direction is.

import package::shared::shapes::{Core};
import package::contact-face::face::{ContactFace};

// `top` is the number of the core's support along the direction.
fn segmentFace(core: Core, radius: f32, direction: vec3f, top: u32) -> ContactFace {
  var face: ContactFace;
  face.count = 2u;
  face.columns[0] = vec3f(0.0, core.halfExtents.y, 0.0);
  face.normal = across(direction, vec3f(0.0, 1.0, 0.0));
  face.ends = vec2u(0u, 1u);
  face.hasPeak = true;
  face.peakNumber = top;
  roundLine(&face, radius, true);
  return face;
}

// Moves a line from the core, where its middle is `face.middle`, to the surface. A shape that is a line has a ball all
// around it (`isCapped`). The surface around an edge is bent no farther than to its two faces.
fn roundLine(face: ptr<function, ContactFace>, radius: f32, isCapped: bool) {
  (*face).origin = (*face).middle + (*face).normal * radius;
  (*face).isCapped = isCapped;
  (*face).isRound = isCapped;
  (*face).bend = radius;
  (*face).slant = vec2f(1.0, 0.0);
}

// The unit vector along the part of the unit vector `direction` that is perpendicular to `axis`.
fn across(direction: vec3f, axis: vec3f) -> vec3f {
  let part = direction - axis * (dot(direction, axis) / max(dot(axis, axis), 1e-30));
  let size = length(part);
  if (size < 1e-6) {
    return direction;
  }
  return part / size;
}
