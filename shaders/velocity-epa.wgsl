// When two convex bodies that translate meet: the expanding polytope algorithm (epa.wgsl), expanded along the motion.
//
// Source: Epicrelyt, "Collision Detection Using GJK and a Modified EPA" (forum post, 10 February 2021), which expands
// the edge of a 2-D polygon that the motion crosses, in place of the nearest edge.
//
// Departures: this is 3-D, and the polytope lies in the swept difference (swept-simplex.wgsl). A ray from the origin
// along the motion exits it at a distance that is the travel that remains when the bodies meet. Bodies that overlap at
// the start have met before: the same ray gives how long ago, and the opposite ray gives when they part.
//
// Steps: one loop, with one support per pass, as compilers inline every call.
//
//     swept-simplex: a tetrahedron around the origin ---- none ----> IMPACT_NONE, IMPACT_OPEN
//          |
//          v
//     BUILDING   the tetrahedron becomes a polytope <---------------------------------+
//          |                                                                          |
//          v                                                                          |
//     CROSSING   expands the face that the ray crosses                                |
//          |                                                                          |
//          | the face is on the surface of the swept difference                       |
//          v                                                                          |
//     chooseFace ---- bounds too far apart, or no face at the exit ----> IMPACT_OPEN  |
//          |     \------- bodies in touch at the start: with the opposite ray --------+
//          v
//     storeTouch ----> IMPACT_MET, or IMPACT_NONE if they pass

import package::shared::constants::{
  EPA_TIE_ULPS, VELOCITY_EPA_ACCEPT_ULPS, VELOCITY_EPA_EXIT_ULPS, VELOCITY_EPA_MISS_ULPS, VELOCITY_EPA_MAX_ITERATIONS,
  VELOCITY_EPA_POINTS_ULPS, VELOCITY_GJK_MAX_ITERATIONS
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support::{Point, differencePoint, isCurvedPair};
import package::queries::pair-unit::{acceptedGap};
import package::queries::witness::{simplexWitness};
import package::cast::{CastResult, movedBy, touchOf};
import package::impact-normal::{impactNormal, isPassing};
import package::gjk::{Guess, NO_ID, gjk};
import package::impact::{ImpactResult, touchPoint, IMPACT_MET, IMPACT_NONE, IMPACT_OPEN};
import package::simplex::{Simplex};
import package::swept-simplex::{
  addPoint, nextNormal, startSimplex, sweptSupport, SWEPT_ENCLOSED, SWEPT_OUTSIDE, SWEPT_UNDECIDED
};
import package::triangle::{nearestOnTriangle, triangleFrame};
import package::polytope::capacity::{NONE, emptySet, insert, takeFirst};
import package::polytope::memory::{cornersAt, rankAt, storeRank};
import package::polytope::rank::{crossingRay};
import package::polytope::{
  vertexCount, faceCount, NO_HEIGHT, FACE_EXHAUSTED, EXPAND_IMPOSSIBLE, EXPAND_FULL, cornersOf, expand,
  firstFace, idOf, planeOf, setVertex, startFaces, unpack
};

// Passes of the loop beside GJK's and the expansions: spreading, siding, building.
const MAX_OTHER_PASSES: u32 = 20u;

// A ray from the origin out of the polytope.
struct Crossing {
  // Unit vector.
  ray: vec3f,
  // The polytope is to be built.
  isBuilding: bool,
  // The face to expand, and whether there is nothing left to expand.
  face: u32,
  isDone: bool,
  iterations: u32,
  // An upper bound of the distance along the ray at which it exits, how far a lower one is off, and the inward normal
  // of the face there.
  exit: f32,
  gap: f32,
  normal: vec3f,
  // Corners of that face, and weights of the point on it.
  corners: u32,
  weights: vec3f,
}

fn startCrossing(ray: vec3f) -> Crossing {
  var crossing: Crossing;
  crossing.ray = ray;
  crossing.isBuilding = true;
  crossing.exit = 1e30;
  crossing.gap = 1e30;
  return crossing;
}

// As `impact`.
fn velocityEpa(
  pair: Pair, shapeA: Shape, shapeB: Shape, direction: vec3f, end: f32, margin: f32, isMoving: bool, touchTolerance: f32
) -> ImpactResult {
  let targetDistance = pair.radiusA + pair.radiusB + margin;
  let travel = select(0.0, max(end, 0.0), isMoving);
  let touch = touchOf(pair);
  let accepted = max(acceptedGap(pair), VELOCITY_EPA_ACCEPT_ULPS * EPSILON);
  var result: ImpactResult;
  result.state = IMPACT_OPEN;
  var start = startSimplex(direction);
  var crossing = startCrossing(direction);
  var isReversed = false;
  // Where the bodies meet.
  var found: CastResult;
  for (var i = 0u; i < VELOCITY_GJK_MAX_ITERATIONS + 2u * VELOCITY_EPA_MAX_ITERATIONS + MAX_OTHER_PASSES; i++) {
    let isEnclosed = start.state == SWEPT_ENCLOSED;
    let isBuilding = isEnclosed && crossing.isBuilding;
    var plane = vec4f(0.0);
    if (!isEnclosed) {
      plane = vec4f(nextNormal(&start), 0.0);
    } else if (isBuilding) {
      startPolytope(&crossing, start.simplex);
    } else {
      plane = nextFace(&crossing);
    }
    var point = start.simplex.d;
    if (!isBuilding && !crossing.isDone) {
      point = sweptSupport(pair, -plane.xyz, direction, travel, targetDistance);
      result.iterations += 1u;
    }
    let height = dot(plane.xyz, point.position);
    if (!isEnclosed) {
      addPoint(&start, point, height, touch, touchTolerance, i == VELOCITY_GJK_MAX_ITERATIONS);
      if (start.state == SWEPT_OUTSIDE || start.state == SWEPT_UNDECIDED) {
        result.state = select(IMPACT_OPEN, IMPACT_NONE, start.state == SWEPT_OUTSIDE);
        return result;
      }
      continue;
    }
    if (!crossing.isDone) {
      expandFace(&crossing, plane, point, height);
    }
    if (!crossing.isDone) {
      continue;
    }
    if (crossing.gap > accepted || chooseFace(&crossing) > VELOCITY_EPA_MISS_ULPS * EPSILON) {
      result.state = IMPACT_OPEN;
      return result;
    }
    if (isReversed) {
      // The overlap along the normal along which they part.
      if (crossing.exit * -dot(crossing.normal, crossing.ray) <= touchTolerance) {
        result.state = IMPACT_NONE;
        return result;
      }
      break;
    }
    // Rounding may put the exit beyond the whole translation.
    found.travelled = travel - max(crossing.exit, 0.0);
    found.normal = crossing.normal;
    let numbers = unpack(crossing.corners);
    let moved = movedBy(pair, direction, found.travelled);
    // In a loop: compilers inline every call.
    var corners: array<Point, 3>;
    for (var i = 0u; i < 3u; i++) {
      corners[i] = differencePoint(moved, idOf(numbers[i]));
    }
    found.simplex = Simplex(
      corners[0], corners[1], corners[2], corners[2], vec4f(crossing.weights, 0.0), 3u
    );
    result.state = IMPACT_MET;
    result.travelled = found.travelled;
    result.normal = found.normal;
    result.isInside = found.travelled <= 0.0;
    if (!result.isInside || !isMoving) {
      break;
    }
    // The bodies are in touch at the start: they may be about to part.
    isReversed = true;
    crossing = startCrossing(-direction);
  }
  if (result.state == IMPACT_MET) {
    storeTouch(pair, shapeA, shapeB, direction, end, targetDistance, isMoving, touchTolerance, found, &result);
  }
  return result;
}

// The triangle's two faces. The fourth point expands the one that it is in front of.
fn startPolytope(crossing: ptr<function, Crossing>, s: Simplex) {
  vertexCount = 0u;
  setVertex(0u, s.a);
  setVertex(1u, s.b);
  setVertex(2u, s.c);
  vertexCount = 3u;
  crossingRay = (*crossing).ray;
  let frame = triangleFrame(s.a.position, s.b.position, s.c.position);
  startFaces(frame, s.a.position);
  (*crossing).face = select(0u, 1u, dot(frame.normal, s.d.position - s.a.position) < 0.0);
}

// The plane of the face that the ray crosses.
fn nextFace(crossing: ptr<function, Crossing>) -> vec4f {
  let face = firstFace();
  let plane = planeOf(face);
  (*crossing).face = face;
  (*crossing).isDone = rankAt(face) < 0.5 * NO_HEIGHT || dot(plane.xyz, (*crossing).ray) >= 0.0 ||
      (*crossing).iterations == VELOCITY_EPA_MAX_ITERATIONS;
  return plane;
}

// Expands a face by a point of the swept difference, which gives a bound of the exit, too.
fn expandFace(crossing: ptr<function, Crossing>, plane: vec4f, point: Point, height: f32) {
  let face = (*crossing).face;
  let isBuilding = (*crossing).isBuilding;
  if (!isBuilding) {
    (*crossing).iterations += 1u;
    let rate = -dot(plane.xyz, (*crossing).ray);
    let hasConverged = plane.w - height <= VELOCITY_EPA_EXIT_ULPS * EPSILON;
    if (-height < (*crossing).exit * rate || hasConverged) {
      (*crossing).exit = -height / rate;
      (*crossing).gap = plane.w - height;
      (*crossing).normal = plane.xyz;
      (*crossing).corners = cornersAt(face);
    }
    if (hasConverged) {
      (*crossing).isDone = true;
      return;
    }
  }
  (*crossing).isBuilding = false;
  let outcome = expand(face, point);
  (*crossing).isDone = outcome == EXPAND_FULL;
  if (outcome == EXPAND_IMPOSSIBLE && !isBuilding) {
    storeRank(face, FACE_EXHAUSTED);
  }
}

// Chooses, of the faces that share the plane at the exit, the one that the ray crosses, and its point there: several
// faces can cover a facet of the difference, and any of them may have ended the search. Returns the distance between
// the ray and that face. If it is more than rounding, the ray has gone through a gap of faces too thin to be searched.
fn chooseFace(crossing: ptr<function, Crossing>) -> f32 {
  let exit = (*crossing).exit;
  let foot = (*crossing).ray * exit;
  let rate = -dot((*crossing).normal, (*crossing).ray);
  var candidates = emptySet();
  for (var f = 0u; f < faceCount; f++) {
    if ((rankAt(f) + exit) * rate >= -EPA_TIE_ULPS * EPSILON) {
      insert(&candidates, f);
    }
  }
  var packed = (*crossing).corners;
  var leastMiss = 1e30;
  (*crossing).weights = vec3f(0.0);
  for (var n = 0u; n <= faceCount; n++) {
    let at = cornersOf(packed);
    let on = nearestOnTriangle(at.a - foot, at.b - foot, at.c - foot);
    if (length(on.point) < leastMiss) {
      leastMiss = length(on.point);
      (*crossing).corners = packed;
      (*crossing).weights = on.weights;
    }
    let f = takeFirst(&candidates);
    if (f == NONE) {
      break;
    }
    packed = cornersAt(f);
  }
  return leastMiss;
}

// Point and normal where B meets A, and whether they meet or pass.
fn storeTouch(
  pair: Pair, shapeA: Shape, shapeB: Shape, direction: vec3f, end: f32, targetDistance: f32, isMoving: bool,
  touchTolerance: f32, crossing: CastResult, result: ptr<function, ImpactResult>
) {
  let moved = movedBy(pair, direction, crossing.travelled);
  var found = crossing;
  if (targetDistance > 0.0 && !isCurvedPair(pair)) {
    // Faces that cover a rounding are chords of it: their normals are off by up to the root of the exit gap. The vector
    // between the nearest points of the cores has no such error, and GJK needs a step or two from here.
    let s = crossing.simplex;
    let a = vec4u(s.a.id.x, s.b.id.x, s.c.id.x, NO_ID);
    let b = vec4u(s.a.id.y, s.b.id.y, s.c.id.y, NO_ID);
    let nearest = gjk(moved, 1e30, 0.0, Guess(a, b));
    (*result).iterations += nearest.iterations;
    if (nearest.upper - nearest.lower <= acceptedGap(pair)) {
      found.normal = nearest.normal;
      found.simplex = nearest.simplex;
    }
  }
  let cores = simplexWitness(moved, found.simplex);
  found.nearest = cores.onB - cores.onA;
  found.distance = length(found.nearest);
  if (abs(found.distance - targetDistance) > VELOCITY_EPA_POINTS_ULPS * EPSILON) {
    (*result).state = IMPACT_OPEN;
    return;
  }
  (*result).point = touchPoint(pair, cores, found.nearest / max(found.distance, 1e-30), targetDistance);
  let face = impactNormal(moved, shapeA, shapeB, direction, targetDistance, touchTolerance, found, cores);
  (*result).normal = face.normal;
  if (isMoving && isPassing(face, crossing.travelled, end, touchTolerance)) {
    (*result).state = IMPACT_NONE;
  }
}
