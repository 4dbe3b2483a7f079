// Where a convex core that moves along a line comes within the target distance of another in 2-D: the GJK ray cast, van
// den Bergen, "Ray Casting against General Convex Objects with Application to Continuous Collision Detection" (2004),
// on the Minkowski difference B - A, which the motion shifts.
//
// As shaders/cast.wgsl, which says why each support may move B forward, and what ends a cast.

import package::shared::constants::{CAST_MAX_IDLE, CAST_MAX_ITERATIONS, CAST_RETREAT_ULPS, CAST_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{directionOf};
import package::planar::pair::{PlanarPair};
import package::planar::simplex::{Simplex, append, nearestOnSimplex};
import package::planar::support::{differenceSupport};

// How the search ended.
const PLANAR_CAST_MISSED: u32 = 0u;   // no contact on this way
const PLANAR_CAST_MET: u32 = 1u;      // the cores are `targetDistance` apart
const PLANAR_CAST_STALLED: u32 = 2u;  // rounding or the iteration limit ended it; `travelled` is a bound

struct CastResult {
  state: u32,
  iterations: u32,
  // The distance that B has travelled. For an open search, a bound up to which B doesn't meet A.
  travelled: f32,
  // Unit vector from A to B that separates the cores by `targetDistance` there, in A's frame.
  normal: vec2f,
  // The simplex that holds the point of the difference that is nearest to the origin there, how far that is, and in
  // which direction.
  distance: f32,
  direction: vec2f,
  simplex: Simplex,
}

// B moves along the unit vector `direction`, in A's frame, from its position in the pair. Searches from `start`, where
// the cores are farther apart than `targetDistance`, to `end` for the first place where they are no more than that
// apart.
fn castCores(pair: PlanarPair, direction: vec2f, start: f32, end: f32, targetDistance: f32) -> CastResult {
  let touch = CAST_TOUCH_ULPS * EPSILON;
  var moved = movedBy(pair, direction, start);
  var result: CastResult;
  result.state = PLANAR_CAST_STALLED;
  result.travelled = start;
  result.distance = 1e30;
  var normal = directionOf(moved.translation, -direction);
  result.normal = normal;
  var retreat = 0.0;
  var idle = 0u;
  for (; result.iterations < CAST_MAX_ITERATIONS; ) {
    var next = differenceSupport(moved, -normal);
    result.iterations += 1u;
    let separation = dot(normal, next.position) - targetDistance;
    let isStep = separation > 0.5 * touch && retreat == 0.0;
    if (isStep) {
      // Nothing can touch before B has come nearer by this much along the normal.
      let closing = -dot(normal, direction);
      result.normal = normal;
      if (closing <= 0.0 || separation > closing * (end - result.travelled)) {
        result.state = PLANAR_CAST_MISSED;
        break;
      }
      let step = direction * (separation / closing);
      result.travelled += separation / closing;
      moved = movedBy(pair, direction, result.travelled);
      result.simplex.a.position += step;
      result.simplex.b.position += step;
      next.position += step;
    } else if (separation >= result.distance - targetDistance - touch && result.simplex.count > 0u) {
      // The distance has converged here.
      break;
    }
    let s = without(result.simplex, next.id);
    var distance = length(next.position);
    if (s.count == 0u) {
      result.simplex = Simplex(next, next, next, vec2f(1.0, 0.0), 1u);
      result.direction = directionOf(next.position, normal);
    } else {
      let nearest = nearestOnSimplex(append(s, next));
      if (nearest.encloses) {
        // Rounding took B into A. B goes back, and the search goes on from there without another step.
        retreat = max(2.0 * retreat, CAST_RETREAT_ULPS * EPSILON);
        result.travelled -= retreat;
        moved = movedBy(pair, direction, result.travelled);
        result.simplex.count = 0u;
        normal = result.normal;
        continue;
      }
      result.simplex = nearest.simplex;
      result.direction = nearest.direction;
      distance = nearest.distance;
    }
    if (distance - targetDistance <= touch) {
      result.distance = distance;
      result.state = PLANAR_CAST_MET;
      break;
    }
    if (distance >= result.distance && !(isStep && separation > touch)) {
      idle += 1u;
      if (idle > CAST_MAX_IDLE) {
        break;
      }
    }
    result.distance = distance;
    normal = result.direction;
  }
  return result;
}

fn movedBy(pair: PlanarPair, direction: vec2f, travelled: f32) -> PlanarPair {
  var moved = pair;
  moved.translation += direction * travelled;
  return moved;
}

// Removes a point from a simplex of one or two. It is to become the newest.
fn without(s: Simplex, id: vec2u) -> Simplex {
  var fewer = s;
  if (s.count > 1u && all(s.b.id == id)) {
    fewer.count = 1u;
  } else if (s.count > 0u && all(s.a.id == id)) {
    fewer.count -= 1u;
    fewer.a = s.b;
  }
  return fewer;
}
