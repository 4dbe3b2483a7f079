// The support mapping of the Minkowski difference in less text: for kernels that compile slowly. GJK takes 5 to 13 %
// longer with it on a software adapter.

import package::shared::pair::{Pair};
import package::shared::support::{Point, supportVertex};

// The point of B - A farthest along `direction`. A's side, then B's: the loop is one place that calls the mapping.
fn supportInLoop(pair: Pair, direction: vec3f) -> Point {
  var found: Point;
  var core = pair.coreA;
  var inBody = -direction;
  for (var side = 0u; side < 2u; side++) {
    let top = supportVertex(core, inBody);
    if (side == 0u) {
      found = Point(top.position, vec2u(top.number));
    } else {
      found = Point(
        pair.rotation * top.position + pair.translation - found.position, vec2u(found.id.x, top.number)
      );
    }
    core = pair.coreB;
    inBody = direction * pair.rotation;
  }
  return found;
}
