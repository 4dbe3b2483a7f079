// Contact faces of spheres and ellipsoids: the farthest point of the surface.

import package::shared::shapes::{Core};
import package::contact-face::face::{ContactFace};

fn pointFace(radius: f32, direction: vec3f) -> ContactFace {
  var face: ContactFace;
  face.count = 1u;
  face.normal = direction;
  face.origin = direction * radius;
  return face;
}

fn ellipsoidFace(core: Core, direction: vec3f) -> ContactFace {
  let along = core.halfExtents * direction;
  var face: ContactFace;
  face.count = 1u;
  face.normal = direction;
  face.origin = core.halfExtents * along / max(length(along), 1e-30);
  return face;
}
