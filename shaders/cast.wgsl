// Where a convex core that moves along a line comes within the target distance of another: the GJK ray cast, van den
// Bergen, "Ray Casting against General Convex Objects with Application to Continuous Collision Detection" (2004), on
// the Minkowski difference B - A, which the motion shifts.
//
// Each unit vector n gives a bound: nothing touches while the least height of the difference along n is above the
// target distance, and that height falls by no more than the motion along -n. So each support that GJK evaluates may
// move B forward, and the simplex moves with it. The cast ends where the distance is the target distance, or with a
// vector along which the bodies don't come close enough: then they miss.
//
// Departures: the newest point of the simplex is the one that moved B. As in simplex.wgsl, the nearest face is chosen
// among those with the newest point. It need not be the nearest of all, but the next support is still nearer. A step
// that rounding made too long is taken back.
//
// However the cast ends, `travelled` is a bound to f32: `normal` separates the cores there by the target distance.

import package::shared::constants::{
  CAST_MAX_IDLE, CAST_MAX_ITERATIONS, CAST_RETREAT_ULPS, CAST_TOUCH_ULPS, CURVED_CAST_TOUCH_ULPS
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::support::{differenceSupport, isCurvedPair};
import package::gjk::{holds};
import package::simplex::{Simplex, nearestOnSimplex};

// How the search ended.
const CAST_MISSED: u32 = 0u;   // no contact on this way
const CAST_MET: u32 = 1u;      // the cores are `targetDistance` apart
const CAST_INSIDE: u32 = 2u;   // they are no farther apart where the way starts
const CAST_STALLED: u32 = 3u;  // rounding or the iteration limit ended it; `travelled` is a bound

struct CastResult {
  state: u32,
  iterations: u32,
  // The distance that B has travelled. For an open search, a bound up to which B doesn't meet A.
  travelled: f32,
  // Unit vector from A to B that separates the cores by `targetDistance` there, in A's frame; zero if B has not moved.
  normal: vec3f,
  // The vector between the cores at the end of the search, its length, and the simplex that holds its end.
  nearest: vec3f,
  distance: f32,
  simplex: Simplex,
}

// B moves along the unit vector `direction`, in A's frame, from its position in the pair. Searches from `start` to
// `end` for the first place where the cores are `targetDistance` apart.
fn castCores(pair: Pair, direction: vec3f, start: f32, end: f32, targetDistance: f32) -> CastResult {
  let touch = touchOf(pair);
  var moved = movedBy(pair, direction, start);
  var result: CastResult;
  result.state = CAST_STALLED;
  result.travelled = start;
  result.distance = length(moved.translation);
  var normal = -direction;
  if (result.distance > touch) {
    normal = moved.translation / result.distance;
  }
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
        result.state = CAST_MISSED;
        break;
      }
      let step = direction * (separation / closing);
      result.travelled += separation / closing;
      moved = movedBy(pair, direction, result.travelled);
      result.simplex.a.position += step;
      result.simplex.b.position += step;
      result.simplex.c.position += step;
      next.position += step;
    } else if (separation >= result.distance - targetDistance - touch && result.simplex.count > 0u) {
      // The distance has converged here.
      break;
    }
    let nearest = nearestOnSimplex(without(result.simplex, next.id), next);
    if (nearest.encloses) {
      if (result.travelled == start) {
        result.state = CAST_INSIDE;
        result.distance = 0.0;
        break;
      }
      // Rounding took B into A. B goes back, and the search goes on from there without another step.
      retreat = max(2.0 * retreat, CAST_RETREAT_ULPS * EPSILON);
      result.travelled -= retreat;
      moved = movedBy(pair, direction, result.travelled);
      result.simplex.count = 0u;
      normal = result.normal;
      continue;
    }
    result.simplex = nearest.simplex;
    result.nearest = nearest.point;
    let distance = length(result.nearest);
    if (distance - targetDistance <= touch) {
      result.distance = distance;
      result.state = select(CAST_MET, CAST_INSIDE, result.travelled == start);
      break;
    }
    if (distance >= result.distance && !(isStep && separation > touch)) {
      idle += 1u;
      if (idle > CAST_MAX_IDLE) {
        break;
      }
    }
    result.distance = distance;
    normal = result.nearest / distance;
  }
  return result;
}

// Cores touch if their distance is within this of the target distance.
fn touchOf(pair: Pair) -> f32 {
  return select(CAST_TOUCH_ULPS, CURVED_CAST_TOUCH_ULPS, isCurvedPair(pair)) * EPSILON;
}

fn movedBy(pair: Pair, direction: vec3f, travelled: f32) -> Pair {
  var moved = pair;
  moved.translation += direction * travelled;
  return moved;
}

// Removes a point from a simplex. It is to become the newest.
fn without(s: Simplex, id: vec2u) -> Simplex {
  var fewer = s;
  if (s.count > 0u && holds(s, id)) {
    fewer.count -= 1u;
    var last = s.c;
    if (fewer.count == 0u) {
      last = s.a;
    } else if (fewer.count == 1u) {
      last = s.b;
    }
    if (all(s.a.id == id)) {
      fewer.a = last;
    } else if (fewer.count > 0u && all(s.b.id == id)) {
      fewer.b = last;
    }
  }
  return fewer;
}
