// The parts of a contact that a manifold is made from, and the manifold of a pair that is not a hit.

import package::shared::results::{Manifold, INFO_HAS_POINTS};

// The part of a contact's record that a manifold is made from.
struct ContactPoint {
  // In world axes, the point relative to A's position.
  normal: vec3f,
  distance: f32,
  onA: vec3f,
  info: u32,
}

// The manifold of a pair that is not a hit: it has no points.
fn noPoints(contact: ContactPoint) -> Manifold {
  var result: Manifold;
  result.normal = contact.normal;
  result.info = contact.info & ~INFO_HAS_POINTS;
  result.contactDistance = contact.distance;
  return result;
}
