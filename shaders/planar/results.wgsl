// Records of results in 2-D, one per pair or hit. All vectors are in world axes. Points are relative to the position of
// the pair's body A; for impacts to A's position at the unclamped time. `info` is as in 3-D. A record of `intersects`
// is that word alone.

// Result of `distances`.
struct PlanarDistance {
  // Unit vector from A to B; a separating axis if the search ended early.
  normal: vec2f,
  // Gap between the outlines; 0 for overlapping pairs.
  distance: f32,
  info: u32,
  // Witness points on A's and B's outline, if planarDistanceHasPoints; otherwise 0.
  pointA: vec2f,
  pointB: vec2f,
}

// Result of `contacts`.
struct PlanarContact {
  // Unit vector from A to B: moving B by -distance * normal brings the pair to touch.
  normal: vec2f,
  // Signed distance. Negative: penetration depth.
  distance: f32,
  info: u32,
  // Points on A's and B's outline, if planarContactHasPoints; otherwise 0.
  pointA: vec2f,
  pointB: vec2f,
  // lower <= true signed distance <= upper
  lower: f32,
  upper: f32,
  // What the points lie on: kind << 30 | index, 0 none, 1 vertex, 2 edge.
  featureA: u32,
  featureB: u32,
}

// Result of `manifolds`. Points beyond planarManifoldPointCount are zero; the first is the deepest.
struct PlanarManifold {
  // Unit vector from A to B: the contact's.
  normal: vec2f,
  info: u32,
  // The pair's signed distance, as in PlanarContact.
  contactDistance: f32,
  // Position on A's outline, distance along the normal to B's, and which corner the point lies on:
  // 1 << 30 | (1 << 29 if the corner is B's) | number.
  position0: vec2f,
  distance0: f32,
  feature0: u32,
  position1: vec2f,
  distance1: f32,
  feature1: u32,
}

// Result of `impacts`.
struct PlanarImpact {
  // Unit vector from A to B.
  normal: vec2f,
  // Seconds. Negative for bodies that overlap as the motion begins: how long ago they met, or minus infinity.
  // Infinite if the bodies don't meet. planarImpactTime gives the time of impact.
  unclampedTime: f32,
  info: u32,
  // Point where they touch, relative to A's position at the unclamped time, if planarImpactHasPoint; otherwise 0.
  point: vec2f,
  // Zero.
  reserved: vec2f,
}
