// Points on the surfaces of two bodies, from points of their cores.

import package::shared::pair::{Pair};
import package::shared::shapes::{Core, CORE_ELLIPSOID};

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

// Points of two cores, moved so that what is aside of the normal between them goes to both by their roundness: a point
// hardly leaves the surface of a ball where it moves aside, but that of a rim or a vertex does.
fn sharedByRoundness(pair: Pair, normal: vec3f, cores: Surface) -> Surface {
  let apart = cores.onB - cores.onA;
  let roundA = roundness(pair.coreA);
  let sum = roundA + roundness(pair.coreB);
  let share = select(0.0, roundA / max(sum, 1e-30) - 0.5, sum > 0.0);
  let shift = (apart - normal * dot(apart, normal)) * share;
  return Surface(cores.onA + shift, cores.onB + shift);
}

// The least radius of curvature of an ellipsoid; 0 for other cores.
fn roundness(core: Core) -> f32 {
  let half = core.halfExtents;
  let least = min(half.x, min(half.y, half.z));
  let most = max(half.x, max(half.y, half.z));
  return select(0.0, least * least / max(most, 1e-30), core.kind == CORE_ELLIPSOID);
}
