// What EPA starts from: GJK's result for a pair whose cores overlap or touch.

struct EpaStart {
  // GJK's best axis in A's frame, and its bounds of the cores' distance.
  normal: vec3f,
  lower: f32,
  upper: f32,
  info: u32,
  // Vertices of the last simplex.
  ids: array<vec2u, 4>,
  count: u32,
}
