// What EPA and the arcs start from: GJK's result for a pair whose cores overlap or touch.

struct EpaStart {
  // The best axis so far in A's frame, and the bounds of the cores' distance: GJK's, or those of the arcs.
  normal: vec3f,
  lower: f32,
  upper: f32,
  info: u32,
  // Vertices of the last simplex.
  ids: array<vec2u, 4>,
  count: u32,
}
