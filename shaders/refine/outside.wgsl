// Witness points by GJK, for polytopes whose witness points miss the normal: B is moved along the normal until the
// bodies are apart. The points that are nearest then are the witness points, and their normal may be better.

import package::shared::constants::{REFINE_MISS, REFINE_ROOM, REFINE_ROUNDS};
import package::shared::pair::{Pair};
import package::shared::support::{differencePoint, differenceSupport};
import package::epa::{EpaResult};
import package::gjk::{gjk, NO_GUESS};

fn lookFromOutside(pair: Pair, refined: EpaResult) -> EpaResult {
  var best = refined;
  var miss = missOf(pair, refined);
  for (var round = 0u; round < REFINE_ROUNDS && miss > REFINE_MISS; round++) {
    var moved = pair;
    let shift = best.normal * (REFINE_ROOM - best.lower);
    moved.translation += shift;
    let outside = gjk(moved, 1e30, -1.0, NO_GUESS);
    let height = dot(outside.normal, differenceSupport(pair, -outside.normal).position);
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

// Distance between B's witness point and where it would be, if it were `lower` apart from A's along the normal.
fn missOf(pair: Pair, result: EpaResult) -> f32 {
  var point = -result.normal * result.lower;
  var ids = array(result.idA, result.idB, result.idC);
  var weights = result.weights;
  for (var corner = 0u; corner < 3u; corner++) {
    point += differencePoint(pair, ids[corner]).position * weights.x;
    weights = weights.yzx;
  }
  return length(point);
}
