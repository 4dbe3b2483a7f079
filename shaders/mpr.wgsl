// Overlap and penetration depth of two convex cores by Minkowski portal refinement: Snethen, "XenoCollide: Complex
// Collision Made Simple", Game Programming Gems 7 (2008), on the difference B - A.
//
// A ray starts at a point inside the difference and goes through the origin. A portal is a triangle of the difference's
// points that the ray passes. Steps: find a portal by supports across the ray (discovery); take the support along the
// portal's outward normal and go on with that one of the three triangles over the portal that the ray passes, until no
// support lies beyond (refinement). The origin is inside if the ray meets it before a portal. Moving B along the last
// normal by the height of the last support separates the pair, however the search came there, so that height is never
// less than the depth.
//
//        b              a, b, c: the portal, counter-clockwise seen from outside
//      / | \            p: the support along its normal; the ray passes c, a, p or a, b, p or b, c, p
//     /  p  \           i: the point inside
//    / /   \ \
//   a---------c   <--o-- i
//
// Two endings: the portal at the ray's end is the answer; or new rays start from the origin, each along the direction
// with the least height of all that were tried, until the last portal has the least and holds the foot of its
// perpendicular, or is no lower than the one before. Heights never grow: where h is the height along n, the ray along n
// leaves the difference within h of the origin, and the plane that it leaves by, through that point, is no farther than
// the point.
//
// Departures: rays after the first go along the lowest direction that was tried for whatever reason; along the last
// portal's normal alone they get stuck at the ends of needles. Normals are those of triangle.wgsl's frames. Nobody has
// to trust signs of triple products near zero: a pair counts as overlapping once the origin lies on the segment from
// the inner point to a point of the portal, to rounding, as apart when a support says so, and what is neither is left
// open. So are cores that just touch, and those whose difference is flat and has no inside.

import package::shared::constants::{FLAT_ULPS, MPR_EXIT_ULPS, MPR_MAX_ITERATIONS, MPR_TOUCH_ULPS};
import package::shared::math::{EPSILON, unitAxis};
import package::shared::pair::{Pair};
import package::shared::shapes::{Core, CORE_TRIANGLE, CORE_HULL};
import package::shared::support::{Point, differenceSupport};
import package::triangle::{TriangleFrame, nearestOnSegment, nearestOnTriangle, planeWeights, triangleFrame};

// How the search ended.
const MPR_OVERLAPPING: u32 = 0u;  // the origin is in the difference, to rounding
const MPR_FAR: u32 = 1u;          // lower > far: left early
const MPR_OPEN: u32 = 2u;         // neither is known

// What is asked.
const MPR_OVERLAP: u32 = 0u;    // only whether the cores overlap
const MPR_RAY: u32 = 1u;        // the depth at the end of the ray through the origin
const MPR_NORMAL: u32 = 2u;     // the depth that further rays end with

struct MprResult {
  state: u32,
  // Supports asked for.
  iterations: u32,
  // A lower bound of the cores' signed distance: minus the depth where that was asked.
  lower: f32,
  // Unit vector from A to B that gave it, in A's frame.
  normal: vec3f,
  // Vertices of the last portal by id, and the weights of its point nearest to the foot of the perpendicular.
  idA: vec2u,
  idB: vec2u,
  idC: vec2u,
  weights: vec3f,
}

// Points of the difference, counter-clockwise seen from outside.
struct Portal {
  a: Point,
  b: Point,
  c: Point,
}

// What the next point is for.
const PROBING: u32 = 0u;   // a direction for the ray where inner points coincide: the lowest of six
const FIRST: u32 = 1u;     // the portal's first vertex, along the ray
const SECOND: u32 = 2u;    // its second, across the ray
const THIRD: u32 = 3u;     // its third, beyond the plane of the inner point and the others
const REFINING: u32 = 4u;  // a point beyond the portal

const PROBES: u32 = 6u;
// Directions shorter than this before they are made unit vectors have none.
const LEAST_DIRECTION: f32 = 1e-20;

// What a search knows between two supports.
struct Search {
  // What the next point is for, and where it is looked for.
  phase: u32,
  direction: vec3f,
  // The ray begins at a point inside the difference.
  inside: vec3f,
  ray: vec3f,
  portal: Portal,
  frame: TriangleFrame,
  // The origin is known to be in the difference.
  isInside: bool,
  // The least height of all directions tried, and that direction.
  low: f32,
  lowest: vec3f,
  // The least height of a ray's end, and the portal there.
  least: f32,
  answer: Portal,
}

// Ends early once the cores are known to be apart. One loop for all, so that the support mapping is called in one
// place: compilers inline every call, and lanes share it wherever they are.
fn mpr(pair: Pair, far: f32, ending: u32) -> MprResult {
  var result: MprResult;
  result.state = MPR_OPEN;
  var search = startSearch(pair);
  if (search.isInside) {
    if (ending == MPR_OVERLAP) {
      result.state = MPR_OVERLAPPING;
      return result;
    }
    search.inside = vec3f(0.0);
    search.phase = PROBING;
  }
  for (var i = 0u; i < MPR_MAX_ITERATIONS; i++) {
    if (search.phase == PROBING) {
      search.direction = probeDirection(i);
    }
    let point = differenceSupport(pair, search.direction);
    let height = dot(search.direction, point.position);
    result.iterations += 1u;
    if (height < 0.0) {
      result.state = select(MPR_OPEN, MPR_FAR, -height > far);
      result.lower = -height;
      result.normal = -search.direction;
      return result;
    }
    if (height < search.low) {
      search.low = height;
      search.lowest = search.direction;
    }
    if (search.phase == PROBING) {
      if (i + 1u == PROBES) {
        startRay(&search);
      }
      continue;
    }
    // The next direction, of any length, while there is no portal.
    var across = vec3f(0.0);
    if (search.phase == REFINING) {
      let exit = MPR_EXIT_ULPS * EPSILON;
      let level = dot(search.direction, search.portal.a.position);
      if (!search.isInside && level >= 0.0) {
        search.isInside = holdsOrigin(search.portal, search.frame, search.inside, search.ray);
        if (!search.isInside) {
          break;
        }
      }
      if (search.isInside && ending == MPR_OVERLAP) {
        result.state = MPR_OVERLAPPING;
        break;
      }
      if (height - level <= exit || i + 1u == MPR_MAX_ITERATIONS) {
        if (!endRay(height, ending, &search, &result)) {
          break;
        }
        continue;
      } else {
        search.portal = portalOver(search.portal, point, search.inside, search.ray);
      }
    } else {
      if (search.phase == THIRD && height - dot(search.direction, search.inside) <= FLAT_ULPS * EPSILON) {
        break;
      }
      across = discoverPortal(point, &search);
    }
    if (search.phase == REFINING) {
      let portal = search.portal;
      search.frame = triangleFrame(portal.a.position, portal.b.position, portal.c.position);
      if (!search.frame.hasInside) {
        break;
      }
      search.direction = search.frame.normal;
      continue;
    }
    let size = length(across);
    if (search.phase == SECOND && size <= MPR_TOUCH_ULPS * EPSILON) {
      endOnVertex(ending, &search, &result);
      break;
    }
    if (size < LEAST_DIRECTION) {
      break;
    }
    search.direction = across / size;
  }

  if (result.state == MPR_OVERLAPPING && ending != MPR_OVERLAP) {
    let answer = search.answer;
    let foot = result.normal * result.lower;
    let on = nearestOnTriangle(answer.a.position - foot, answer.b.position - foot, answer.c.position - foot);
    result.idA = answer.a.id;
    result.idB = answer.b.id;
    result.idC = answer.c.id;
    result.weights = on.weights;
  }
  return result;
}

fn startSearch(pair: Pair) -> Search {
  var search: Search;
  search.phase = FIRST;
  search.inside = innerPoint(pair);
  let span = length(search.inside);
  search.ray = -search.inside / max(span, 1e-30);
  search.direction = search.ray;
  search.low = 1e30;
  search.lowest = search.ray;
  search.least = 1e30;
  search.isInside = span <= MPR_TOUCH_ULPS * EPSILON;
  return search;
}

// The next ray starts at the origin, along the lowest direction.
fn startRay(search: ptr<function, Search>) {
  (*search).inside = vec3f(0.0);
  (*search).ray = (*search).lowest;
  (*search).direction = (*search).lowest;
  (*search).phase = FIRST;
}

// A point becomes a vertex of the portal, which is complete once the ray passes it. Returns the next direction until
// then, of any length.
fn discoverPortal(point: Point, search: ptr<function, Search>) -> vec3f {
  let inside = (*search).inside;
  let ray = (*search).ray;
  var across = vec3f(0.0);
  if ((*search).phase == FIRST) {
    (*search).portal.a = point;
    across = cross(ray, point.position - inside);
    (*search).phase = SECOND;
  } else if ((*search).phase == SECOND) {
    (*search).portal.b = point;
    across = cross((*search).portal.a.position - inside, point.position - inside);
    (*search).phase = THIRD;
  } else {
    let a = (*search).portal.a.position - inside;
    let b = (*search).portal.b.position - inside;
    let c = point.position - inside;
    if (dot(ray, cross(c, a)) < 0.0) {
      (*search).portal.b = point;
      across = cross(a, c);
    } else if (dot(ray, cross(b, c)) < 0.0) {
      (*search).portal.a = point;
      across = cross(c, b);
    } else {
      (*search).portal.c = point;
      (*search).phase = REFINING;
    }
  }
  return across;
}

// The ray ends on its first vertex, which is the foot of the perpendicular, but whether a first ray has more than a
// flat difference around it is not known.
fn endOnVertex(ending: u32, search: ptr<function, Search>, result: ptr<function, MprResult>) {
  if (ending == MPR_OVERLAP) {
    (*result).state = MPR_OVERLAPPING;
  } else if ((*result).state == MPR_OVERLAPPING && (*search).low < (*search).least) {
    (*result).lower = -(*search).low;
    (*result).normal = -(*search).ray;
    let vertex = (*search).portal.a;
    (*search).answer = Portal(vertex, vertex, vertex);
  }
}

// The portal is the end of its ray. Starts the next ray, or returns false.
fn endRay(height: f32, ending: u32, search: ptr<function, Search>, result: ptr<function, MprResult>) -> bool {
  let exit = MPR_EXIT_ULPS * EPSILON;
  // Origins nearly on the surface are left to those who take their normal from more faces than one.
  if (!(*search).isInside || height <= MPR_TOUCH_ULPS * EPSILON) {
    (*result).state = MPR_OPEN;
    return false;
  }
  if (height >= (*search).least - exit) {
    return false;
  }
  (*search).least = height;
  (*search).answer = (*search).portal;
  (*result).state = MPR_OVERLAPPING;
  (*result).lower = -height;
  (*result).normal = -(*search).direction;
  let isLowest = (*search).low >= height - exit;
  if (ending == MPR_RAY || (isLowest && holdsFoot((*search).portal, (*search).frame, height))) {
    return false;
  }
  startRay(search);
  return true;
}

// A point inside B - A, in A's frame.
fn innerPoint(pair: Pair) -> vec3f {
  return pair.rotation * centre(pair.coreB) + pair.translation - centre(pair.coreA);
}

// A point inside a core, in its body's frame.
fn centre(core: Core) -> vec3f {
  return select(vec3f(0.0), core.halfExtents, core.kind == CORE_TRIANGLE || core.kind == CORE_HULL);
}

// The axes of A's frame, there and back.
fn probeDirection(step: u32) -> vec3f {
  let axis = unitAxis(step >> 1u);
  return select(axis, -axis, (step & 1u) == 1u);
}

// Whether the origin's projection on the portal's plane, which is `height` away, lies in the portal.
fn holdsFoot(portal: Portal, frame: TriangleFrame, height: f32) -> bool {
  return all(planeWeights(frame, portal.a.position - frame.normal * height) >= vec3f(0.0));
}

// Whether the origin is on the segment from the inner point to the ray's point on the portal, to rounding. The weights
// of that point may be anything: with none below zero it is a point of the difference, and so is the segment.
fn holdsOrigin(portal: Portal, frame: TriangleFrame, inside: vec3f, ray: vec3f) -> bool {
  let slope = dot(frame.normal, ray);
  let a = portal.a.position;
  let crossing = dot(frame.normal, a) / max(slope, 1e-30);
  let weights = max(planeWeights(frame, a - ray * min(crossing, 1e3)), vec3f(0.0));
  let end = (a * weights.x + portal.b.position * weights.y + portal.c.position * weights.z) /
      (weights.x + weights.y + weights.z);
  return length(nearestOnSegment(inside, end).point) <= MPR_TOUCH_ULPS * EPSILON;
}

// The triangle that the ray passes through, of the three that a point over a portal forms with its edges.
fn portalOver(portal: Portal, point: Point, inside: vec3f, ray: vec3f) -> Portal {
  let turn = cross(ray, point.position - inside);
  let a = dot(turn, portal.a.position - inside);
  let b = dot(turn, portal.b.position - inside);
  let c = dot(turn, portal.c.position - inside);
  if (a >= 0.0 && b <= 0.0) {
    return Portal(portal.a, portal.b, point);
  }
  if (b >= 0.0 && c <= 0.0) {
    return Portal(point, portal.b, portal.c);
  }
  return Portal(portal.a, point, portal.c);
}
