// What of a contact a manifold is made of, and what pairs have that are no hits.

import package::shared::results::{Manifold, INFO_HAS_POINTS};

// What of a contact's record a manifold is made of.
struct ContactPoint {
  // In world axes, the point relative to A's position.
  normal: vec3f,
  distance: f32,
  onA: vec3f,
  info: u32,
}

// Pairs that are no hits have no points.
fn noPoints(contact: ContactPoint) -> Manifold {
  var result: Manifold;
  result.normal = contact.normal;
  result.info = contact.info & ~INFO_HAS_POINTS;
  result.contactDistance = contact.distance;
  return result;
}
