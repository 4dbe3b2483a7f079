// A triangle.

// Corners may be one and the same: a segment or a point.
struct Triangle {
  a: vec3f,
  b: vec3f,
  c: vec3f,
}
