// The contact face of a half-space: its plane.

import package::shared::shapes::{Core};
import package::contact-face::face::{ContactFace};

fn halfspaceFace(core: Core, radius: f32) -> ContactFace {
  var face: ContactFace;
  // The scale of the body is in the normal of the core.
  face.normal = normalize(core.halfExtents);
  face.origin = face.normal * radius;
  return face;
}
