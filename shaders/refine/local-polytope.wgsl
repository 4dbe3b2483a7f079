// Search by EPA on a small polytope around the best normal. Its faces bracket a kink exactly, and it has witness
// points.

import package::shared::constants::{REFINE_LOSS};
import package::shared::pair::{Pair};
import package::shared::support::{Point};
import package::shared::support-in-loop::{supportInLoop};
import package::epa::search::{EpaResult};
import package::refine::frame::{frameOf, tilted, turnedBySixth};

// The simplex to start from, by ids: three supports along normals around the best one, whose triangle is as large as
// possible, and the support along the opposite of the best normal.
fn simplexAround(pair: Pair, normal: vec3f, tilt: f32) -> array<vec2u, 4> {
  let frame = frameOf(normal);
  // In a loop: compilers inline every call.
  var points: array<Point, 7>;
  var at = vec2f(tilt, 0.0);
  for (var k = 0u; k < 7u; k++) {
    points[k] = supportInLoop(pair, select(normal, -tilted(frame, at), k < 6u));
    at = turnedBySixth(at);
  }
  // The farthest from the first, and the farthest from their line.
  let first = points[0].position;
  var b = 0u;
  var c = 0u;
  var most = 0.0;
  for (var k = 1u; k < 6u; k++) {
    let size = distance(points[k].position, first);
    b = select(b, k, size > most);
    most = max(most, size);
  }
  let along = points[b].position - first;
  most = 0.0;
  for (var k = 1u; k < 6u; k++) {
    let size = length(cross(along, points[k].position - first));
    c = select(c, k, size > most);
    most = max(most, size);
  }
  return array(points[0].id, points[b].id, points[c].id, points[6].id);
}

// Takes what is better in `found`, the answer on a local polytope. A polytope that misses the best normal still has
// better witness points than EPA, whose points lie where EPA's own normal points. `witnessed` is the lower bound of the
// polytope that the witness points are from; the new one is returned.
fn takeLocal(found: EpaResult, witnessed: f32, best: ptr<function, EpaResult>) -> f32 {
  let isAsGood = found.lower >= (*best).lower - REFINE_LOSS;
  let isWitness = isAsGood || found.lower > witnessed;
  if (isWitness) {
    (*best).idA = found.idA;
    (*best).idB = found.idB;
    (*best).idC = found.idC;
    (*best).weights = found.weights;
  }
  if (isAsGood) {
    (*best).lower = found.lower;
    (*best).normal = found.normal;
  }
  return select(witnessed, found.lower, isWitness);
}
