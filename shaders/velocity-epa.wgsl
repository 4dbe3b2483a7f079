// When two convex bodies in straight motion meet: the expanding polytope algorithm (epa.wgsl) on the Minkowski
// difference B - A swept along the way, as it was described for the plane in a forum post of 2021, here in space.
//
// Swept means: with all places that B comes through. The origin is in that where the bodies meet on the way. From there
// a ray along the motion leaves it through the places where B is as far along as it gets; as far as that is from the
// origin, so long before the way's end they met. So of a polytope around the origin, the face that the ray crosses is
// expanded, not the nearest one, until it can't be: its normal is that of the impact. Bodies that overlap as the way
// starts met before: the same ray tells when, and the one against it when they part.
//
// Steps: a simplex that encloses the origin, by GJK; where the origin lies on one, it grows (SPREADING, SIDING) until
// it has room on all sides or shows that there is none, when bodies touch at most. Then faces that the ray crosses;
// then, for bodies in touch at the start, those that the opposite ray crosses.

import package::shared::constants::{
  EPA_TIE_ULPS, GJK_NEARBY, FLAT_ULPS, VELOCITY_EPA_ACCEPT_ULPS, VELOCITY_EPA_EXIT_ULPS, VELOCITY_EPA_MISS_ULPS,
  VELOCITY_EPA_MAX_ITERATIONS, VELOCITY_EPA_POINTS_ULPS, VELOCITY_GJK_MAX_ITERATIONS
};
import package::shared::math::{EPSILON, perpendicular};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support::{Point, differencePoint, differenceSupport, isCurvedPair};
import package::queries::pair-unit::{acceptedGap};
import package::queries::witness::{simplexWitness};
import package::cast::{CastResult, movedBy, touchOf};
import package::facing::{facing, isPassing};
import package::gjk::{Guess, NO_ID, gjk};
import package::impact::{ImpactResult, touchPoint, IMPACT_MET, IMPACT_NONE, IMPACT_OPEN};
import package::simplex::{Simplex, append, nearestOnSimplex};
import package::triangle::{nearestOnTriangle, triangleFrame};
import package::polytope::capacity::{NONE, emptySet, insert, takeFirst};
import package::polytope::memory::{cornersAt, rankAt, storeRank};
import package::polytope::rank::{crossingRay};
import package::polytope::{
  VISIBLE_SET, vertexCount, faceCount, NO_HEIGHT, FACE_EXHAUSTED, EXPAND_IMPOSSIBLE, EXPAND_FULL, cornersOf, expand,
  firstFace, idOf, planeOf, setVertex, startFaces, unpack
};

// What the next point is for.
const ENCLOSING: u32 = 0u;  // GJK
const SPREADING: u32 = 1u;  // a point grows to a segment, a segment to a triangle
const SIDING: u32 = 2u;     // the triangle gets a fourth point from the side where there is more room
const BUILDING: u32 = 3u;   // the tetrahedron becomes a polytope
const CROSSING: u32 = 4u;   // a vertex beyond the face that the ray crosses

const SPREAD_DIRECTIONS: u32 = 6u;
// Points that come before and between the crossings.
const MAX_OTHERS: u32 = 20u;

// As `impact`.
fn velocityEpa(
  pair: Pair, shapeA: Shape, shapeB: Shape, along: vec3f, end: f32, margin: f32, isMoving: bool, slack: f32
) -> ImpactResult {
  let reach = pair.radiusA + pair.radiusB + margin;
  let way = select(0.0, max(end, 0.0), isMoving);
  let touch = touchOf(pair);
  let exit = VELOCITY_EPA_EXIT_ULPS * EPSILON;
  var result: ImpactResult;
  result.state = IMPACT_OPEN;
  var phase = ENCLOSING;
  var step = 0u;
  var normal = -along;
  var distance = 1e30;
  var s: Simplex;
  // The farthest point found so far, and how far that is.
  var chosen: Point;
  var farthest = 0.0;
  // The crossing: where the ray leaves, its face, how far the bounds of that are apart, and how many points it took.
  var ray = along;
  var leave = 1e30;
  var gap = 1e30;
  var answer = 0u;
  var crossings = 0u;
  // Of the impact, once it is known.
  var isFound = false;
  var corners = array<Point, 3>();
  var onFace = vec3f(0.0);
  for (var i = 0u; i < VELOCITY_GJK_MAX_ITERATIONS + 2u * VELOCITY_EPA_MAX_ITERATIONS + MAX_OTHERS; i++) {
    var face = 0u;
    var plane = vec4f(normal, 0.0);
    var isDone = false;
    if (phase == SPREADING) {
      plane = vec4f(-spreadDirection(s, step), 0.0);
    } else if (phase == SIDING) {
      plane = vec4f(select(-normal, normal, step == 1u), 0.0);
    } else if (phase == BUILDING) {
      vertexCount = 0u;
      setVertex(0u, s.a);
      setVertex(1u, s.b);
      setVertex(2u, s.c);
      vertexCount = 3u;
      crossingRay = ray;
      let frame = triangleFrame(s.a.position, s.b.position, s.c.position);
      startFaces(frame, s.a.position);
      face = select(0u, 1u, dot(frame.normal, s.d.position - s.a.position) < 0.0);
    } else if (phase == CROSSING) {
      face = firstFace();
      plane = planeOf(face);
      isDone = rankAt(face) < 0.5 * NO_HEIGHT || dot(plane.xyz, ray) >= 0.0 || crossings == VELOCITY_EPA_MAX_ITERATIONS;
    }
    var point = s.d;
    if (phase != BUILDING && !isDone) {
      point = sweptSupport(pair, -plane.xyz, along, way, reach);
      result.iterations += 1u;
    }
    let height = dot(plane.xyz, point.position);

    if (phase == ENCLOSING) {
      if (height > 0.0) {
        result.state = IMPACT_NONE;
        break;
      }
      if (s.count == 0u) {
        s = Simplex(point, point, point, point, vec4f(1.0, 0.0, 0.0, 0.0), 1u);
        normal = point.position;
      } else {
        s = append(s, point);
        let nearest = nearestOnSimplex(s);
        if (nearest.encloses) {
          phase = BUILDING;
          continue;
        }
        s = nearest.simplex;
        normal = nearest.point;
      }
      let last = distance;
      distance = length(normal);
      if (distance <= touch || (distance >= last && distance <= GJK_NEARBY)) {
        // The origin lies on the simplex, to rounding, wherever in the difference that may be.
        phase = select(SPREADING, SIDING, s.count == 3u);
        step = 0u;
        farthest = 0.0;
        normal = sideNormal(s);
        if (phase == SIDING && all(normal == vec3f(0.0))) {
          result.state = IMPACT_NONE;
          break;
        }
        continue;
      }
      if (distance >= last || i == VELOCITY_GJK_MAX_ITERATIONS) {
        break;
      }
      normal /= distance;
      continue;
    }
    if (phase == SPREADING) {
      let size = sizeBeside(s, point.position);
      if (size > farthest) {
        farthest = size;
        chosen = point;
      }
      step += 1u;
      if (step < SPREAD_DIRECTIONS) {
        continue;
      }
      step = 0u;
      if (farthest <= FLAT_ULPS * EPSILON) {
        result.state = IMPACT_NONE;
        break;
      }
      farthest = 0.0;
      s = append(s, chosen);
      if (s.count == 3u) {
        normal = sideNormal(s);
        phase = SIDING;
        if (all(normal == vec3f(0.0))) {
          result.state = IMPACT_NONE;
          break;
        }
      }
      continue;
    }
    if (phase == SIDING) {
      // The difference reaches as far beyond the origin on this side.
      if (-height <= slack) {
        result.state = IMPACT_NONE;
        break;
      }
      if (-height > farthest) {
        farthest = -height;
        s.d = point;
      }
      step += 1u;
      if (step == 2u) {
        phase = BUILDING;
      }
      continue;
    }

    let isCrossing = phase == CROSSING;
    if (isCrossing && !isDone) {
      crossings += 1u;
      let rate = -dot(plane.xyz, ray);
      let hasMet = plane.w - height <= exit;
      if (-height < leave * rate || hasMet) {
        leave = -height / rate;
        gap = plane.w - height;
        normal = plane.xyz;
        answer = cornersAt(face);
      }
      isDone = hasMet;
    }
    if (!isDone) {
      let outcome = expand(face, point);
      isDone = outcome == EXPAND_FULL;
      if (outcome == EXPAND_IMPOSSIBLE && isCrossing) {
        storeRank(face, FACE_EXHAUSTED);
      }
      phase = CROSSING;
    }
    if (!isDone) {
      continue;
    }
    if (gap > max(acceptedGap(pair), VELOCITY_EPA_ACCEPT_ULPS * EPSILON)) {
      isFound = false;
      break;
    }
    // A facet of the difference can be covered by several faces, any of which may have ended the search: the one that
    // the ray crosses has the point. If there is none, the ray has come through a gap of faces too thin to be searched.
    let foot = ray * leave;
    let rate = -dot(normal, ray);
    var candidates = emptySet(VISIBLE_SET);
    for (var f = 0u; f < faceCount; f++) {
      if ((rankAt(f) + leave) * rate >= -EPA_TIE_ULPS * EPSILON) {
        insert(&candidates, f);
      }
    }
    var packed = answer;
    var leastMiss = 1e30;
    var weights = vec3f(0.0);
    for (var n = 0u; n <= faceCount; n++) {
      let at = cornersOf(packed);
      let on = nearestOnTriangle(at.a - foot, at.b - foot, at.c - foot);
      if (length(on.point) < leastMiss) {
        leastMiss = length(on.point);
        answer = packed;
        weights = on.weights;
      }
      let f = takeFirst(&candidates);
      if (f == NONE) {
        break;
      }
      packed = cornersAt(f);
    }
    if (leastMiss > VELOCITY_EPA_MISS_ULPS * EPSILON) {
      isFound = false;
      break;
    }
    if (isFound) {
      // How deep they are along the normal that they part by.
      if (leave * rate <= slack) {
        result.state = IMPACT_NONE;
      }
      break;
    }
    // Rounding may take the crossing of a face along the way beyond its end.
    result.path = way - max(leave, 0.0);
    result.normal = normal;
    isFound = true;
    result.state = IMPACT_MET;
    result.isInside = result.path <= 0.0;
    onFace = weights;
    let numbers = unpack(answer);
    let moved = movedBy(pair, along, result.path);
    corners[0] = differencePoint(moved, idOf(numbers.x));
    corners[1] = differencePoint(moved, idOf(numbers.y));
    corners[2] = differencePoint(moved, idOf(numbers.z));
    if (!result.isInside || !isMoving) {
      break;
    }
    // The bodies are in touch as the way starts: they may be about to part.
    ray = -along;
    leave = 1e30;
    gap = 1e30;
    crossings = 0u;
    phase = BUILDING;
  }
  if (result.state == IMPACT_MET && !isFound) {
    result.state = IMPACT_OPEN;
  }
  if (result.state == IMPACT_MET) {
    let moved = movedBy(pair, along, result.path);
    var found: CastResult;
    found.normal = result.normal;
    found.simplex = Simplex(corners[0], corners[1], corners[2], corners[2], vec4f(onFace, 0.0), 3u);
    if (reach > 0.0 && !isCurvedPair(pair)) {
      // The faces that cover a rounding are chords of it: their normals are off by up to the root of the exit gap. The
      // vector between the nearest points of the cores has no such error, and GJK is a step or two away from it.
      let a = vec4u(corners[0].id.x, corners[1].id.x, corners[2].id.x, NO_ID);
      let b = vec4u(corners[0].id.y, corners[1].id.y, corners[2].id.y, NO_ID);
      let nearest = gjk(moved, 1e30, 0.0, Guess(a, b));
      result.iterations += nearest.iterations;
      if (nearest.upper - nearest.lower <= acceptedGap(pair)) {
        found.normal = nearest.normal;
        found.simplex = nearest.simplex;
      }
    }
    let cores = simplexWitness(moved, found.simplex);
    found.nearest = cores.onB - cores.onA;
    found.distance = length(found.nearest);
    if (abs(found.distance - reach) > VELOCITY_EPA_POINTS_ULPS * EPSILON) {
      result.state = IMPACT_OPEN;
      return result;
    }
    result.point = touchPoint(pair, cores, found.nearest / max(found.distance, 1e-30), reach);
    let face = facing(moved, shapeA, shapeB, along, reach, slack, found, cores);
    result.normal = face.normal;
    if (isMoving && isPassing(face, result.path, end, slack)) {
      result.state = IMPACT_NONE;
    }
  }
  return result;
}

// The point of the swept difference that is farthest along a unit vector.
fn sweptSupport(pair: Pair, direction: vec3f, along: vec3f, way: f32, reach: f32) -> Point {
  let point = differenceSupport(pair, direction);
  return Point(point.position + direction * reach + select(vec3f(0.0), along * way, dot(direction, along) > 0.0), point.id);
}

// Directions from a point along three axes, or across a segment.
fn spreadDirection(s: Simplex, step: u32) -> vec3f {
  var direction = vec3f(vec3u(0u, 1u, 2u) == vec3u(step >> 1u));
  if (s.count == 2u) {
    let line = normalize(s.b.position - s.a.position);
    direction = perpendicular(line);
    if ((step & 2u) == 2u) {
      direction = cross(line, direction);
    }
  }
  return select(direction, -direction, (step & 1u) == 1u);
}

// Length of the segment from a simplex's first point to another, or that one's distance from the line through its two.
fn sizeBeside(s: Simplex, point: vec3f) -> f32 {
  var offset = point - s.a.position;
  if (s.count == 2u) {
    let line = normalize(s.b.position - s.a.position);
    offset -= line * dot(offset, line);
  }
  return length(offset);
}

// The normal of a triangle; zero of one without an inside.
fn sideNormal(s: Simplex) -> vec3f {
  return triangleFrame(s.a.position, s.b.position, s.c.position).normal;
}
