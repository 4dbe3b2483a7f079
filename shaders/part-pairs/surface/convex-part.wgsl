// Heights of the convex body of a pair that has a part of a surface as A: in A's frame, about the part's middle, in the
// pair's unit.

import package::shared::pair::{Pair};
import package::shared::support::{supportVertex};

// The point of B that is lowest along a unit vector.
fn lowestOfB(pair: Pair, direction: vec3f) -> vec3f {
  let lowest = supportVertex(pair.coreB, -direction * pair.rotation).position;
  return pair.rotation * lowest + pair.translation - pair.radiusB * direction;
}
