// Records that kernels of the plane store, one a pair. All vectors are in world axes, points relative to A's position. `info` is as in
// shaders/shared/results.wgsl.

// Result of `distances`.
struct PlanarDistance {
  // Unit vector from A to B.
  normal: vec2f,
  distance: f32,
  info: u32,
  pointA: vec2f,
  pointB: vec2f,
}

// Result of `contacts`.
struct PlanarContact {
  normal: vec2f,
  // Negative: penetration depth.
  distance: f32,
  info: u32,
  pointA: vec2f,
  pointB: vec2f,
  // lower <= true signed distance <= upper
  lower: f32,
  upper: f32,
  featureA: u32,
  featureB: u32,
}

// Result of `manifolds`. Points beyond their number, which `info` has, are zero.
struct PlanarManifold {
  // Unit vector from A to B: the contact's.
  normal: vec2f,
  info: u32,
  // Zero.
  reserved: u32,
  // On A's surface, and the distance along the normal to B's.
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
  // Seconds, as in `Impact`.
  unclampedTime: f32,
  info: u32,
  // Where they touch, relative to A's position then.
  point: vec2f,
  // Zero.
  reserved: vec2f,
}
