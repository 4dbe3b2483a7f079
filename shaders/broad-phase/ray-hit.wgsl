// Records of rays in batches, and of each ray's first impact: the record of `impacts` for the body and the ray, and the
// body. In a batch, its point is in world space.

// A ray in 3-D: a ball of this radius, or a point, that moves from its origin.
struct RayCast {
  origin: vec3f,
  // How long the ray goes on, in units of time; may be infinite.
  maxTime: f32,
  // Displacement per unit of time.
  direction: vec3f,
  radius: f32,
  // Collision groups: membership in the high 16 bits, filter in the low 16. 0xffffffff: all.
  groups: u32,
}

// In 2-D.
struct PlanarRayCast {
  origin: vec2f,
  direction: vec2f,
  maxTime: f32,
  radius: f32,
  groups: u32,
  // Not read.
  reserved: f32,
}

// In 3-D. The fields up to `info` are those of Impact.
struct RayHit {
  normal: vec3f,
  unclampedTime: f32,
  point: vec3f,
  info: u32,
  // NO_BODY without a hit.
  body: u32,
}

// In 2-D. The fields up to `reserved` are those of PlanarImpact.
struct PlanarRayHit {
  normal: vec2f,
  unclampedTime: f32,
  info: u32,
  point: vec2f,
  reserved: vec2f,
  body: u32,
}

const NO_BODY: u32 = 0xffffffffu;
