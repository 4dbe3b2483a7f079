// Witness points by GJK, for polytopes whose witness points miss the normal: B is moved along the normal until the
// bodies are apart. The points that are nearest then are the witness points, and their normal may be better.

import package::shared::constants::{REFINE_MISS, REFINE_ROOM, REFINE_ROUNDS};
import package::shared::pair::{Pair};
import package::shared::support-in-loop::{supportInLoop};
import package::epa::search::{EpaResult};
import package::gjk::{gjk, NO_GUESS};
import package::refine::miss::{missOf};

fn lookFromOutside(pair: Pair, refined: EpaResult) -> EpaResult {
  var best = refined;
  var miss = missOf(pair, refined);
  for (var round = 0u; round < REFINE_ROUNDS && miss > REFINE_MISS; round++) {
    var moved = pair;
    let shift = best.normal * (REFINE_ROOM - best.lower);
    moved.translation += shift;
    let outside = gjk(moved, 1e30, -1.0, NO_GUESS);
    let height = dot(outside.normal, supportInLoop(pair, -outside.normal).position);
    best.iterations += outside.iterations + 1u;
    if (height > best.lower) {
      best.lower = height;
      best.normal = outside.normal;
    }
    let s = outside.simplex;
    let weights = s.weights * select(vec4f(0.0), vec4f(1.0), vec4u(0u, 1u, 2u, 3u) < vec4u(s.count));
    let point = s.a.position * weights.x + s.b.position * weights.y + s.c.position * weights.z - shift;
    let pointMiss = length(point - best.normal * best.lower);
    if (pointMiss >= miss) {
      break;
    }
    miss = pointMiss;
    best.idA = s.a.id;
    best.idB = select(s.a.id, s.b.id, s.count > 1u);
    best.idC = select(s.a.id, s.c.id, s.count > 2u);
    best.weights = weights.xyz;
  }
  return best;
}
