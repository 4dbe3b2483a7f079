// A tetrahedron of points of the swept difference around the origin, for velocity EPA (velocity-epa.wgsl) to expand.
//
// The swept difference is the Minkowski difference B - A, united over all positions of B on its translation, and
// enlarged by a ball of the target distance. The bodies come within the target distance if and only if the origin is in
// it.
//
// States. The caller asks for one support at a time, along `nextNormal`, and passes it to `addPoint`: compilers inline
// every call, and the support function is large.
//
//     SWEPT_ENCLOSING   GJK ----------- origin inside a tetrahedron -----------+
//          |       \------ the origin is outside ------> SWEPT_OUTSIDE         |
//          |        \----- rounding or the limit ------> SWEPT_UNDECIDED       |
//          | origin on a point, a segment or a triangle                        |
//          v                                                                   v
//     SWEPT_SPREADING   to a segment, to a triangle                      SWEPT_ENCLOSED
//          |       \------ all points in a line ---> SWEPT_OUTSIDE             ^
//          v                                                                   |
//     SWEPT_SIDING      both sides of the triangle ----- farther point --------+
//                  \------ touch tolerance not exceeded ---> SWEPT_OUTSIDE

import package::shared::constants::{FLAT_ULPS, GJK_NEARBY};
import package::shared::math::{EPSILON, perpendicular, unitAxis};
import package::shared::pair::{Pair};
import package::shared::support::{Point};
import package::shared::support-in-loop::{supportInLoop};
import package::simplex::{Simplex, nearestOnSimplex};
import package::triangle::{triangleFrame};

const SWEPT_ENCLOSING: u32 = 0u;
const SWEPT_SPREADING: u32 = 1u;
const SWEPT_SIDING: u32 = 2u;
const SWEPT_ENCLOSED: u32 = 3u;
const SWEPT_OUTSIDE: u32 = 4u;
const SWEPT_UNDECIDED: u32 = 5u;

const SPREAD_DIRECTIONS: u32 = 6u;

struct SweptSimplex {
  state: u32,
  simplex: Simplex,
  // SWEPT_ENCLOSING: the simplex's distance from the origin, and the unit vector from there to it. SWEPT_SIDING: the
  // triangle's normal.
  distance: f32,
  normal: vec3f,
  // SWEPT_SPREADING, SWEPT_SIDING: number of directions tried, the farthest point found, and its distance.
  step: u32,
  chosen: Point,
  farthest: f32,
}

// `direction` is the unit vector along which B moves.
fn startSimplex(direction: vec3f) -> SweptSimplex {
  var search: SweptSimplex;
  search.state = SWEPT_ENCLOSING;
  search.normal = -direction;
  search.distance = 1e30;
  return search;
}

// The point of the swept difference that is farthest along a unit vector.
fn sweptSupport(pair: Pair, normal: vec3f, direction: vec3f, travel: f32, targetDistance: f32) -> Point {
  let point = supportInLoop(pair, normal);
  let translation = select(vec3f(0.0), direction * travel, dot(normal, direction) > 0.0);
  return Point(point.position + normal * targetDistance + translation, point.id);
}

// The unit normal of the next support: the caller adds the point that is farthest against this normal.
fn nextNormal(search: ptr<function, SweptSimplex>) -> vec3f {
  let normal = (*search).normal;
  if ((*search).state == SWEPT_SPREADING) {
    return -spreadDirection((*search).simplex, (*search).step);
  }
  return select(normal, -normal, (*search).state == SWEPT_SIDING && (*search).step == 0u);
}

// `height`: of the point, along `nextNormal`. `isLast`: this is the last step of GJK.
fn addPoint(
  search: ptr<function, SweptSimplex>, point: Point, height: f32, touch: f32, touchTolerance: f32, isLast: bool
) {
  if ((*search).state == SWEPT_ENCLOSING) {
    enclose(search, point, height, touch, isLast);
  } else if ((*search).state == SWEPT_SPREADING) {
    spread(search, point);
  } else {
    side(search, point, height, touchTolerance);
  }
}

// A step of GJK. Origins nearer to the simplex than `touch` lie on it.
fn enclose(search: ptr<function, SweptSimplex>, point: Point, height: f32, touch: f32, isLast: bool) {
  if (height > 0.0) {
    (*search).state = SWEPT_OUTSIDE;
    return;
  }
  let nearest = nearestOnSimplex((*search).simplex, point);
  (*search).simplex = nearest.simplex;
  if (nearest.encloses) {
    (*search).state = SWEPT_ENCLOSED;
    return;
  }
  let last = (*search).distance;
  let distance = length(nearest.point);
  (*search).distance = distance;
  if (distance <= touch || (distance >= last && distance <= GJK_NEARBY)) {
    // To rounding, the origin lies on the simplex. It may still be anywhere in the swept difference.
    (*search).state = SWEPT_SPREADING;
    if (nearest.simplex.count == 3u) {
      startSiding(search);
    }
  } else if (distance >= last || isLast) {
    (*search).state = SWEPT_UNDECIDED;
  } else {
    (*search).normal = nearest.point / distance;
  }
}

// Adds the farthest of the points in several directions, until the simplex is a triangle.
fn spread(search: ptr<function, SweptSimplex>, point: Point) {
  let size = sizeBeside((*search).simplex, point.position);
  if (size > (*search).farthest) {
    (*search).farthest = size;
    (*search).chosen = point;
  }
  (*search).step += 1u;
  if ((*search).step < SPREAD_DIRECTIONS) {
    return;
  }
  (*search).step = 0u;
  if ((*search).farthest <= FLAT_ULPS * EPSILON) {
    (*search).state = SWEPT_OUTSIDE;
    return;
  }
  (*search).farthest = 0.0;
  if ((*search).simplex.count == 1u) {
    (*search).simplex.b = (*search).chosen;
    (*search).simplex.count = 2u;
  } else {
    (*search).simplex.c = (*search).chosen;
    (*search).simplex.count = 3u;
    startSiding(search);
  }
}

fn startSiding(search: ptr<function, SweptSimplex>) {
  let s = (*search).simplex;
  let frame = triangleFrame(s.a.position, s.b.position, s.c.position);
  (*search).normal = frame.normal;
  (*search).state = select(SWEPT_OUTSIDE, SWEPT_SIDING, frame.hasInside);
}

// Looks on both sides of the triangle. The farther point makes it a tetrahedron.
fn side(search: ptr<function, SweptSimplex>, point: Point, height: f32, touchTolerance: f32) {
  if (-height <= touchTolerance) {
    (*search).state = SWEPT_OUTSIDE;
    return;
  }
  if (-height > (*search).farthest) {
    (*search).farthest = -height;
    (*search).simplex.d = point;
  }
  (*search).step += 1u;
  if ((*search).step == 2u) {
    (*search).state = SWEPT_ENCLOSED;
  }
}

// Directions to look in: from a point along three axes, from a segment perpendicular to it.
fn spreadDirection(s: Simplex, step: u32) -> vec3f {
  var direction = unitAxis(step >> 1u);
  if (s.count == 2u) {
    let line = normalize(s.b.position - s.a.position);
    direction = perpendicular(line);
    if ((step & 2u) == 2u) {
      direction = cross(line, direction);
    }
  }
  return select(direction, -direction, (step & 1u) == 1u);
}

// Distance of a point from a simplex of one point, or from the line through a simplex of two.
fn sizeBeside(s: Simplex, point: vec3f) -> f32 {
  var offset = point - s.a.position;
  if (s.count == 2u) {
    let line = normalize(s.b.position - s.a.position);
    offset -= line * dot(offset, line);
  }
  return length(offset);
}
