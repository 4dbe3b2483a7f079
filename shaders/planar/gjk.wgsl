// Distance of two convex cores in 2-D: Gilbert, Johnson, Keerthi (1988) on the Minkowski difference B - A, with
// at most three points.
//
// As shaders/gjk.wgsl, which says why it ends: bounds from both sides are kept, and the normal that gave the lower one.
// In the plane the normal of an edge is known without the vector to its nearest point, so that it is as good for
// touching cores as for far ones.

import package::shared::constants::{GJK_EXIT_ULPS, GJK_TOUCH_ULPS, GJK_MAX_ITERATIONS, GJK_MAX_IDLE};
import package::shared::math::{EPSILON};
import package::planar::math::{directionOf};
import package::planar::pair::{PlanarPair};
import package::planar::simplex::{Simplex, append, nearestOnSimplex};
import package::planar::support::{differenceSupport};

// How the search ended.
const PLANAR_GJK_CONVERGED: u32 = 0u;  // the cores are apart, bounds meet
const PLANAR_GJK_FAR: u32 = 1u;        // lower > far: left early
const PLANAR_GJK_NEAR: u32 = 2u;       // upper <= near: left early
const PLANAR_GJK_ENCLOSED: u32 = 3u;   // the triangle encloses the origin
const PLANAR_GJK_TOUCHING: u32 = 4u;   // the origin is on the simplex, to rounding
const PLANAR_GJK_STALLED: u32 = 5u;    // rounding or the iteration limit ended it; the bounds are what they are

struct GjkResult {
  state: u32,
  iterations: u32,
  // Bounds of the cores' distance; `upper` is 0 when the simplex encloses the origin.
  lower: f32,
  upper: f32,
  // Unit vector from A to B that gave `lower`, in A's frame.
  normal: vec2f,
  simplex: Simplex,
}

// Ends early once the distance is known to exceed `far` or to be at most `near` (negative: never). `start` is the
// normal to begin with.
fn gjk(pair: PlanarPair, far: f32, near: f32, start: vec2f) -> GjkResult {
  let exit = GJK_EXIT_ULPS * EPSILON;
  let touch = GJK_TOUCH_ULPS * EPSILON;
  var normal = start;
  var result: GjkResult;
  result.state = PLANAR_GJK_STALLED;
  result.normal = start;
  result.lower = -1e30;
  result.upper = 1e30;
  var idle = 0u;
  for (var i = 0u; i < GJK_MAX_ITERATIONS; i++) {
    if (result.lower > far) {
      result.state = PLANAR_GJK_FAR;
      break;
    }
    if (result.upper <= near) {
      result.state = PLANAR_GJK_NEAR;
      break;
    }
    if (result.upper <= touch) {
      result.state = PLANAR_GJK_TOUCHING;
      break;
    }
    let next = differenceSupport(pair, -normal);
    result.iterations += 1u;
    let height = dot(normal, next.position);
    let hasConverged = result.upper - height <= exit;
    let isBetter = height > result.lower;
    if (isBetter || hasConverged) {
      result.lower = height;
      result.normal = normal;
    }
    if (hasConverged) {
      result.state = select(PLANAR_GJK_CONVERGED, PLANAR_GJK_FAR, result.lower > far);
      break;
    }
    if (result.lower > far) {
      continue;
    }
    if (result.simplex.count == 0u) {
      result.simplex = Simplex(next, next, next, vec2f(1.0, 0.0), 1u);
      result.upper = length(next.position);
      normal = directionOf(next.position, start);
      continue;
    }
    if (all(result.simplex.a.id == next.id) || (result.simplex.count > 1u && all(result.simplex.b.id == next.id))) {
      break;
    }
    let step = nearestOnSimplex(append(result.simplex, next));
    if (step.encloses) {
      result.simplex = step.simplex;
      result.upper = 0.0;
      result.state = select(PLANAR_GJK_ENCLOSED, PLANAR_GJK_NEAR, near >= 0.0);
      break;
    }
    idle += select(0u, 1u, step.distance >= result.upper && !isBetter);
    if (idle > GJK_MAX_IDLE) {
      break;
    }
    result.simplex = step.simplex;
    result.upper = step.distance;
    normal = step.direction;
  }
  return result;
}

// What a search starts with that knows nothing of the pair.
fn firstNormal(pair: PlanarPair) -> vec2f {
  return directionOf(pair.translation, vec2f(1.0, 0.0));
}
