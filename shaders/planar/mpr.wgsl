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

// What the next point is for.
const PLANAR_MPR_FIRST: u32 = 0u;     // a corner of the portal, along the ray
const PLANAR_MPR_LEFT: u32 = 1u;      // the other corner, on the ray's left
const PLANAR_MPR_RIGHT: u32 = 2u;     // or on its right
const PLANAR_MPR_REFINING: u32 = 3u;  // a point beyond the portal

// What a search knows between two supports.
struct Search {
  // What the next point is for, and where it is looked for.
  phase: u32,
  direction: vec2f,
  // The ray begins at a point inside the difference.
  inside: vec2f,
  ray: vec2f,
  // The portal's corners, on the right and on the left of the ray.
  right: Point,
  left: Point,
  // The origin is known to be in the difference.
  isInside: bool,
  // The least height of all directions tried, and that direction.
  low: f32,
  lowest: vec2f,
  // The least height of a ray's end.
  least: f32,
}

// Ends early once the cores are known to be apart.
fn mpr(pair: PlanarPair, far: f32, ending: u32) -> MprResult {
  let exit = MPR_EXIT_ULPS * EPSILON;
  var result: MprResult;
  result.state = PLANAR_MPR_OPEN;
  var search = startSearch(pair);
  if (search.isInside && ending == PLANAR_MPR_OVERLAP) {
    result.state = PLANAR_MPR_OVERLAPPING;
    return result;
  }
  for (var i = 0u; i < MPR_MAX_ITERATIONS; i++) {
    let found = differenceSupport(pair, search.direction);
    let height = dot(search.direction, found.position);
    result.iterations += 1u;
    if (height < 0.0) {
      result.lower = -height;
      result.normal = -search.direction;
      result.state = select(PLANAR_MPR_OPEN, PLANAR_MPR_FAR, -height > far);
      return result;
    }
    if (height < search.low) {
      search.low = height;
      search.lowest = search.direction;
    }
    let turn = cross2(search.ray, found.position - search.inside);
    if (search.phase == PLANAR_MPR_FIRST) {
      // The ray passes this point by; the other corner is on its other side.
      search.right = found;
      search.left = found;
      search.direction = select(leftOf(search.ray), rightOf(search.ray), turn > 0.0);
      search.phase = select(PLANAR_MPR_LEFT, PLANAR_MPR_RIGHT, turn > 0.0);
      continue;
    }
    if (search.phase == PLANAR_MPR_LEFT) {
      // Along the perpendicular at least as far out as the inner point: thinner, the difference is flat.
      search.left = found;
      search.phase = PLANAR_MPR_REFINING;
    } else if (search.phase == PLANAR_MPR_RIGHT) {
      search.right = found;
      search.phase = PLANAR_MPR_REFINING;
    } else {
      let level = dot(search.direction, search.right.position);
      // The origin is within the triangle of the inner point and the portal.
      search.isInside |= level >= 0.0;
      if (search.isInside && ending == PLANAR_MPR_OVERLAP) {
        result.state = PLANAR_MPR_OVERLAPPING;
        return result;
      }
      if (height - level <= exit || i + 1u == MPR_MAX_ITERATIONS) {
        if (height - level > exit || !endRay(height, ending, &search, &result)) {
          break;
        }
        continue;
      }
      if (turn > 0.0) {
        search.left = found;
      } else {
        search.right = found;
      }
    }
    let along = search.left.position - search.right.position;
    if (length(along) <= MPR_TOUCH_ULPS * EPSILON) {
      break;
    }
    search.direction = rightOf(directionOf(along, vec2f(1.0, 0.0)));
  }
  return result;
}

fn startSearch(pair: PlanarPair) -> Search {
  var search: Search;
  search.phase = PLANAR_MPR_FIRST;
  search.inside = innerPoint(pair);
  search.ray = directionOf(-search.inside, vec2f(1.0, 0.0));
  search.isInside = length(search.inside) <= MPR_TOUCH_ULPS * EPSILON;
  if (search.isInside) {
    // With the origin as the inner point a ray needs a direction: the first that comes.
    search.inside = vec2f(0.0);
    search.ray = vec2f(1.0, 0.0);
  }
  search.direction = search.ray;
  search.low = 1e30;
  search.lowest = search.ray;
  search.least = 1e30;
  return search;
}

// The portal is the end of its ray. Starts the next ray at the origin, along the lowest direction, or returns false.
fn endRay(height: f32, ending: u32, search: ptr<function, Search>, result: ptr<function, MprResult>) -> bool {
  let exit = MPR_EXIT_ULPS * EPSILON;
  if (!(*search).isInside || height <= MPR_TOUCH_ULPS * EPSILON || height >= (*search).least - exit) {
    return false;
  }
  (*search).least = height;
  (*result).state = PLANAR_MPR_OVERLAPPING;
  (*result).lower = -height;
  (*result).normal = -(*search).direction;
  (*result).a = (*search).right;
  (*result).b = (*search).left;
  let right = (*search).right.position;
  let along = (*search).left.position - right;
  let weight = 1.0 - clamp(-dot(right, along) / max(dot(along, along), 1e-37), 0.0, 1.0);
  (*result).weight = weight;
  // Where the foot of the perpendicular is on the portal there is no nearer edge.
  let isLowest = (*search).low >= height - exit;
  if (ending == PLANAR_MPR_RAY || (isLowest && weight > 0.0 && weight < 1.0)) {
    return false;
  }
  (*search).inside = vec2f(0.0);
  (*search).ray = (*search).lowest;
  (*search).direction = (*search).lowest;
  (*search).phase = PLANAR_MPR_FIRST;
  return true;
}
