// The first impact of each ray: the record of `impacts` for the body and the ray, and the body.

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
