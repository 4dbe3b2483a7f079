// Points on the surfaces of two bodies, from points of their cores.

import package::shared::pair::{Pair};

// A point of each body, in A's frame.
struct Surface {
  onA: vec3f,
  onB: vec3f,
}

// Points on the rounded surfaces exactly `distance` apart along the normal: what rounding left between the two
// estimates is shared by both.
fn surfacePoints(pair: Pair, normal: vec3f, distance: f32, cores: Surface) -> Surface {
  let middle = 0.5 * (cores.onA + cores.onB + normal * (pair.radiusA - pair.radiusB));
  return Surface(middle - normal * (0.5 * distance), middle + normal * (0.5 * distance));
}
