// Depth by downhill refinement of one normal, for comparison only: a local minimum of the depth is a wrong answer.
//
// The idea of bepuphysics2's DepthRefiner. The best normal so far puts the origin's projection on its supporting plane,
// the target, outside the difference or on it. A step of GJK towards the target gives a normal that separates the two,
// and along it the bodies are less deep. It ends when the target lies in the difference.

import package::kernels::work-lists as package::kernels::list;
import package::shared::constants::{EPA_EXIT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, INFO_ITERATIONS_SHIFT};
import package::shared::support::{Point, differenceSupport, differencePoint};
import package::simplex::{Simplex, nearestOnSimplex};
import package::queries::pair-unit::{marginInUnits};
import package::queries::witness::{simplexWitness};
import package::queries::contacts::result::{convergedContact};
import package::kernels::contact-records::{storeContact};
import package::kernels::pending-records::{loadEpaStart};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

const REFINE_MAX_ITERATIONS: u32 = 48u;

// The face of GJK's last tetrahedron nearest to the origin gives the first normal.
fn firstNormal(pair: Pair, simplexIds: array<vec2u, 4>, count: u32) -> vec3f {
  var best = vec3f(1.0, 0.0, 0.0);
  var bestHeight = -1e30;
  if (dot(pair.translation, pair.translation) > 0.0) {
    best = normalize(pair.translation);
  }
  if (count < 4u) {
    return best;
  }
  // A variable, as not every compiler indexes an argument by a number it does not know.
  var ids = simplexIds;
  var p: array<vec3f, 4>;
  for (var i = 0u; i < 4u; i++) {
    p[i] = differencePoint(pair, ids[i]).position;
  }
  for (var i = 0u; i < 4u; i++) {
    let a = p[(i + 1u) & 3u];
    let crossed = cross(p[(i + 2u) & 3u] - a, p[(i + 3u) & 3u] - a);
    let n = crossed / max(length(crossed), 1e-30) * select(-1.0, 1.0, dot(crossed, p[i] - a) > 0.0);
    if (dot(n, a) > bestHeight) {
      bestHeight = dot(n, a);
      best = n;
    }
  }
  return best;
}

fn movedBack(p: Point, by: vec3f) -> Point {
  return Point(p.position - by, p.id);
}

fn shifted(s: Simplex, by: vec3f) -> Simplex {
  return Simplex(movedBack(s.a, by), movedBack(s.b, by), movedBack(s.c, by), movedBack(s.d, by), s.weights, s.count);
}

fn contactByRefinement(index: u32) -> Contact {
  let loaded = loadPair(index);
  let pending = loadEpaStart(index);
  let pair = loaded.pair;
  var normal = firstNormal(pair, pending.ids, pending.count);
  var best = normal;
  var lower = -1e30;
  var iterations = pending.info >> INFO_ITERATIONS_SHIFT;
  var simplex: Simplex;
  for (var i = 0u; i < REFINE_MAX_ITERATIONS; i++) {
    let point = differenceSupport(pair, -normal);
    let height = dot(normal, point.position);
    iterations += 1u;
    if (height > lower) {
      lower = height;
      best = normal;
    }
    let goal = best * lower;
    if (simplex.count == 0u) {
      simplex = Simplex(point, point, point, point, vec4f(1.0, 0.0, 0.0, 0.0), 1u);
    }
    var longer = simplex;
    if (simplex.count == 1u) {
      longer.b = point;
    } else if (simplex.count == 2u) {
      longer.c = point;
    } else {
      longer.d = point;
    }
    longer.count += 1u;
    let step = nearestOnSimplex(shifted(longer, goal));
    let miss = length(step.point);
    if (step.encloses || miss <= EPA_EXIT_ULPS * EPSILON) {
      break;
    }
    simplex = shifted(step.simplex, -goal);
    normal = step.point / miss;
  }
  return convergedContact(
    pair, best, lower, lower, simplexWitness(pair, simplex), marginInUnits(pair, parameters.margin), iterations
  );
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index != NO_PAIR) {
    storeContact(index, contactByRefinement(index));
  }
}
