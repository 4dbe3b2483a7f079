// Overlap and an upper bound of the penetration depth by Minkowski portal refinement (XenoCollide: Snethen, "Game
// Programming Gems 7", 2008, section 2.5), in 2-D: a portal is a chord of B - A that the ray from a point inside
// through the origin passes.
//
// Steps of a ray: support along it; another on the side of the origin; then supports beyond the portal, which becomes
// that half of the two chords to the new point that the ray passes, until the portal is on the boundary. With
// MPR_NORMAL further rays follow from the origin, along the direction of the least depth seen so far, as long as that
// gets less.

import package::shared::constants::{MPR_EXIT_ULPS, MPR_TOUCH_ULPS, MPR_MAX_ITERATIONS};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, directionOf, leftOf, rightOf};
import package::planar::pair::{PlanarPair};
import package::planar::support::{Point, differenceSupport, innerPoint};

const PLANAR_MPR_OVERLAPPING: u32 = 0u;
// Apart by more than `far`.
const PLANAR_MPR_FAR: u32 = 1u;
// Touching, flat, or apart by less.
const PLANAR_MPR_OPEN: u32 = 2u;

// What is asked for: whether they overlap, the depth at the end of the first ray, or the best that further rays find.
const PLANAR_MPR_OVERLAP: u32 = 0u;
const PLANAR_MPR_RAY: u32 = 1u;
const PLANAR_MPR_NORMAL: u32 = 2u;

struct MprResult {
  state: u32,
  // Supports asked for.
  iterations: u32,
  // A lower bound of the cores' signed distance: minus the depth where that was asked.
  lower: f32,
  // Unit vector from A to B that gave it, in A's frame.
  normal: vec2f,
  // The last portal, and the weight of its first corner in the point nearest to the foot of the perpendicular.
  a: Point,
  b: Point,
  weight: f32,
}

// Ends early once the cores are known to be apart.
fn mpr(pair: PlanarPair, far: f32, ending: u32) -> MprResult {
  let exit = MPR_EXIT_ULPS * EPSILON;
  let touch = MPR_TOUCH_ULPS * EPSILON;
  var result: MprResult;
  result.state = PLANAR_MPR_OPEN;
  var inside = innerPoint(pair);
  // With the origin as the inner point a ray needs a direction: the first that comes.
  var ray = directionOf(-inside, vec2f(1.0, 0.0));
  var isInside = length(inside) <= touch;
  if (isInside) {
    if (ending == PLANAR_MPR_OVERLAP) {
      result.state = PLANAR_MPR_OVERLAPPING;
      return result;
    }
    inside = vec2f(0.0);
    ray = vec2f(1.0, 0.0);
  }
  var direction = ray;
  // The least height of all directions tried, and which that was.
  var low = 1e30;
  var lowest = ray;
  var least = 1e30;
  // The portal's corners, on the right and on the left of the ray.
  var right: Point;
  var left: Point;
  var phase = 0u;
  for (var i = 0u; i < MPR_MAX_ITERATIONS; i++) {
    let found = differenceSupport(pair, direction);
    let height = dot(direction, found.position);
    result.iterations += 1u;
    if (height < 0.0) {
      result.lower = -height;
      result.normal = -direction;
      result.state = select(PLANAR_MPR_OPEN, PLANAR_MPR_FAR, -height > far);
      return result;
    }
    if (height < low) {
      low = height;
      lowest = direction;
    }
    let turn = cross2(ray, found.position - inside);
    if (phase == 0u) {
      // The ray passes this point by; the other corner is on its other side.
      right = found;
      left = found;
      direction = select(leftOf(ray), rightOf(ray), turn > 0.0);
      phase = select(1u, 2u, turn > 0.0);
      continue;
    }
    if (phase == 1u || phase == 2u) {
      // Along the perpendicular at least as far out as the inner point: thinner, the difference is flat.
      if (phase == 1u) {
        left = found;
      } else {
        right = found;
      }
      phase = 3u;
    } else {
      let level = dot(direction, right.position);
      // The origin is within the triangle of the inner point and the portal.
      isInside |= level >= 0.0;
      if (isInside && ending == PLANAR_MPR_OVERLAP) {
        result.state = PLANAR_MPR_OVERLAPPING;
        return result;
      }
      if (height - level <= exit || i + 1u == MPR_MAX_ITERATIONS) {
        if (!isInside || height <= touch || height - level > exit) {
          break;
        }
        if (height >= least - exit) {
          break;
        }
        least = height;
        result.state = PLANAR_MPR_OVERLAPPING;
        result.lower = -height;
        result.normal = -direction;
        result.a = right;
        result.b = left;
        let along = left.position - right.position;
        result.weight = 1.0 - clamp(-dot(right.position, along) / max(dot(along, along), 1e-37), 0.0, 1.0);
        // Where the foot of the perpendicular is on the portal there is no nearer edge.
        if (ending == PLANAR_MPR_RAY || (low >= least - exit && result.weight > 0.0 && result.weight < 1.0)) {
          break;
        }
        inside = vec2f(0.0);
        ray = lowest;
        direction = lowest;
        phase = 0u;
        continue;
      }
      if (turn > 0.0) {
        left = found;
      } else {
        right = found;
      }
    }
    let along = left.position - right.position;
    if (length(along) <= touch) {
      break;
    }
    direction = rightOf(directionOf(along, vec2f(1.0, 0.0)));
  }
  return result;
}
