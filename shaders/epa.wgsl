// Penetration depth of two convex cores: the expanding polytope algorithm, van den Bergen, "Proximity queries and
// penetration depth computation on 3D game objects" (GDC 2001), started from whatever simplex GJK left.
//
// The polytope is inscribed in the Minkowski difference B - A. Each face has an inward unit normal n and the height of
// its plane along n, which is negative while the origin is inside. The face of greatest height is nearest to the
// origin; its height is an upper bound of the signed distance, and the height of the support along -n a lower one.
// Steps: take that face; stop if the bounds meet; otherwise remove every face that sees the new point and close the
// hole (the horizon) with a fan around it.
//
// Departures: heights are signed, so a polytope that the origin has left by a rounding error needs no special case. The
// start is a bipyramid over the triangle that holds the origin where GJK ended on one, and a difference too flat to
// have an inside is answered by its flat direction.

import package::shared::constants::{CURVED_EPA_EXIT_ULPS, FLAT_ULPS, EPA_EXIT_ULPS, EPA_TIE_ULPS, REFINE_ITERATIONS};
import package::shared::math::{EPSILON, perpendicular, unitAxis};
import package::shared::pair::{Pair};
import package::shared::support::{Point, differencePoint, isCurvedPair};
import package::epa::search::{EpaResult, EPA_CONVERGED, EPA_STALLED, EPA_FULL, keepDirection, supportId};
import package::triangle::{nearestOnTriangle, triangleFrame};
import package::polytope::capacity::{MAX_ITERATIONS, NONE, emptySet, insert, takeFirst};
import package::polytope::memory::{rankAt, storeRank, cornersAt};
import package::polytope::rank::{ALONG, EVERYWHERE, centreNormal, centreDistance};
import package::polytope::{
  vertexCount, faceCount, NO_HEIGHT, FACE_EXHAUSTED, EXPAND_DONE, EXPAND_IMPOSSIBLE, EXPAND_FULL,
  positionOf, idOf, setVertex, copyVertex, startFaces, planeOf, cornersOf, expand, firstFace, pack, unpack
};

// What the next point is for.
const LOADING: u32 = 0u;    // a vertex of GJK's simplex
const GROWING: u32 = 1u;    // a point grows to a segment, a segment to a triangle
const SEEDING: u32 = 2u;    // GJK's fourth vertex goes above or below the triangle of the others
const STARTING: u32 = 3u;   // a vertex above the triangle, then one below
const SEARCHING: u32 = 4u;  // a vertex beyond the nearest face

// Directions to grow along, and the most points that come before the search.
const GROW_DIRECTIONS: u32 = 6u;
const MAX_START: u32 = 18u;

// Where a search is between two points.
struct Search {
  phase: u32,
  // Vertices of the simplex, directions or sides that were tried in this phase.
  step: u32,
  // GROWING: the size that the farthest point gives.
  farthest: f32,
}

// One loop from GJK's simplex to the answer, with each call in one place only, because compilers inline all calls. All
// lanes share the support mapping, in whatever phase they are.
//
// Faces whose normal is more than `offCentre` off the unit vector `centre` are not searched, and the search is then
// limited to REFINE_ITERATIONS. If `offCentre` is ALONG, the faces searched are those that the ray from the origin
// against `centre` leaves through.
fn epa(pair: Pair, simplexIds: array<vec2u, 4>, simplexCount: u32, centre: vec3f, offCentre: f32) -> EpaResult {
  let flat = FLAT_ULPS * EPSILON;
  let exit = select(EPA_EXIT_ULPS, CURVED_EPA_EXIT_ULPS, isCurvedPair(pair)) * EPSILON;
  let most = select(MAX_ITERATIONS, REFINE_ITERATIONS, offCentre > ALONG && offCentre < EVERYWHERE);
  var result: EpaResult;
  result.state = EPA_STALLED;
  result.lower = -1e30;
  result.upper = 1e30;
  var ids = simplexIds;
  vertexCount = 0u;
  faceCount = 0u;
  centreNormal = centre;
  centreDistance = offCentre;
  // Corners of the face of the answer; a flat difference has its answer in the first three vertices.
  var answer = pack(vec3u(0u, 1u, 2u));
  var search = Search(LOADING, 0u, 0.0);
  var closedHeight = -1e30;
  for (var i = 0u; i < most + MAX_START; i++) {
    var face = search.step;
    var plane = vec4f(0.0);
    if (search.phase == GROWING) {
      plane = vec4f(-growDirection(search.step), 0.0);
    } else if (search.phase != LOADING) {
      if (search.phase == SEARCHING) {
        face = firstFace();
        if (rankAt(face) < 0.5 * NO_HEIGHT) {
          break;
        }
      }
      plane = planeOf(face);
    }
    var id = ids[select(search.step & 3u, 3u, search.phase == SEEDING)];
    if (search.phase != LOADING && search.phase != SEEDING) {
      id = supportId(pair, -plane.xyz);
    }
    let point = differencePoint(pair, id);
    let height = dot(plane.xyz, point.position);

    if (search.phase <= GROWING) {
      if (addToSimplex(point, plane.xyz, height, simplexCount, &search, &result)) {
        continue;
      }
      if (finishSimplex(point, simplexCount, &search)) {
        result.state = EPA_CONVERGED;
        result.upper = result.lower;
        break;
      }
      result.lower = -1e30;
      continue;
    }

    let isSearching = search.phase == SEARCHING;
    let met = plane.w - height <= select(flat, exit, isSearching);
    if (search.phase != SEEDING && (keepDirection(plane.xyz, height, &result) || (met && isSearching))) {
      result.lower = height;
      result.normal = plane.xyz;
      answer = cornersAt(face);
    }
    if (isSearching) {
      result.iterations += 1u;
      result.upper = max(plane.w, closedHeight);
      if (met) {
        result.state = EPA_CONVERGED;
        break;
      }
    }
    var outcome = EXPAND_DONE;
    if (!met) {
      outcome = expand(face, point);
    }
    if (outcome == EXPAND_FULL) {
      result.state = EPA_FULL;
      break;
    }
    if (isSearching) {
      if (outcome == EXPAND_IMPOSSIBLE) {
        closedHeight = max(closedHeight, plane.w);
        storeRank(face, FACE_EXHAUSTED);
      }
      continue;
    }
    search.step += 1u;
    if (search.step == 2u || search.phase == SEEDING) {
      if (vertexCount == 3u) {
        // Flat: nothing above the triangle and nothing below.
        result.state = EPA_CONVERGED;
        result.upper = result.lower;
        break;
      }
      search.phase = SEARCHING;
      result.lower = -1e30;
    }
  }
  let along = select(result.normal, centre, vec3<bool>(offCentre == ALONG));
  storeWitness(answer, along * (result.lower / dot(along, result.normal)), &result);
  return result;
}

// Takes a vertex of GJK's simplex, or the farthest of the points in several directions. Returns whether there are more
// to try.
fn addToSimplex(
  point: Point, normal: vec3f, height: f32, simplexCount: u32, search: ptr<function, Search>,
  result: ptr<function, EpaResult>
) -> bool {
  let step = (*search).step;
  (*search).step = step + 1u;
  if ((*search).phase == LOADING) {
    if (step < 3u) {
      setVertex(step, point);
      vertexCount = step + 1u;
    }
    return step + 1u < simplexCount;
  }
  keepDirection(normal, height, result);
  let size = sizeWith(point.position);
  if (step == 0u || size > (*search).farthest) {
    (*search).farthest = size;
    setVertex(vertexCount, point);
  }
  if (step + 1u < GROW_DIRECTIONS) {
    return true;
  }
  vertexCount += 1u;
  return false;
}

// Goes on with the next phase: growing further, or with the faces over a triangle. Returns true if the difference is
// a point or a segment.
fn finishSimplex(point: Point, simplexCount: u32, search: ptr<function, Search>) -> bool {
  let flat = FLAT_ULPS * EPSILON;
  let isGrown = (*search).phase == GROWING;
  (*search).step = 0u;
  var isFlat = isGrown && (*search).farthest <= flat;
  if (vertexCount == 3u && !isFlat) {
    let at = cornersOf(pack(vec3u(0u, 1u, 2u)));
    let frame = triangleFrame(at.a, at.b, at.c);
    if (frame.hasInside) {
      startFaces(frame, at.a);
      let rise = dot(frame.normal, point.position - at.a);
      let isTetrahedron = !isGrown && simplexCount == 4u && abs(rise) > flat;
      (*search).phase = select(STARTING, SEEDING, isTetrahedron);
      (*search).step = select(0u, 1u, isTetrahedron && rise < 0.0);
      return false;
    }
    isFlat = isGrown;
    if (!isFlat) {
      keepLongestEdge();
    }
  }
  if (isFlat) {
    // The rest repeats the first vertex.
    for (var v = vertexCount - 1u; v < 3u; v++) {
      copyVertex(0u, v);
    }
  } else {
    if (vertexCount == 2u && distance(positionOf(0u), positionOf(1u)) <= flat) {
      vertexCount = 1u;
    }
    (*search).phase = GROWING;
  }
  return isFlat;
}

// Directions from a point along three axes, or across the segment of vertices 0 and 1.
fn growDirection(step: u32) -> vec3f {
  var direction = unitAxis(step >> 1u);
  if (vertexCount == 2u) {
    let along = normalize(positionOf(1u) - positionOf(0u));
    direction = perpendicular(along);
    if ((step & 2u) == 2u) {
      direction = cross(along, direction);
    }
  }
  return select(direction, -direction, (step & 1u) == 1u);
}

// Length of the segment from vertex 0 to a point, or the point's distance from the line through vertices 0 and 1.
fn sizeWith(point: vec3f) -> f32 {
  var offset = point - positionOf(0u);
  if (vertexCount == 2u) {
    let along = normalize(positionOf(1u) - positionOf(0u));
    offset -= along * dot(offset, along);
  }
  return length(offset);
}

// Finds the witness points: at the foot of the perpendicular from the origin on the answer's plane, or where a ray
// leaves through it. A facet of the difference can be covered by several faces, any of which may have ended the search;
// the one nearest to the foot is taken.
fn storeWitness(answer: u32, foot: vec3f, result: ptr<function, EpaResult>) {
  var candidates = emptySet();
  for (var f = 0u; f < faceCount; f++) {
    var height = rankAt(f);
    if (centreDistance == ALONG) {
      // What is kept of it is a length along the ray.
      height = planeOf(f).w;
    }
    if (height >= (*result).lower - EPA_TIE_ULPS * EPSILON) {
      insert(&candidates, f);
    }
  }
  var packed = answer;
  var nearest = answer;
  var leastMiss = 1e30;
  for (var i = 0u; i <= faceCount; i++) {
    let at = cornersOf(packed);
    let on = nearestOnTriangle(at.a - foot, at.b - foot, at.c - foot);
    let miss = length(on.point);
    if (miss < leastMiss) {
      leastMiss = miss;
      nearest = packed;
      (*result).weights = on.weights;
      (*result).faceDistance = length(foot + on.point);
    }
    let f = takeFirst(&candidates);
    if (f == NONE) {
      break;
    }
    packed = cornersAt(f);
  }
  let c = unpack(nearest);
  (*result).idA = idOf(c.x);
  (*result).idB = idOf(c.y);
  (*result).idC = idOf(c.z);
}

// Vertices 0, 1 become the ends of the longest edge of the collinear vertices 0, 1, 2.
fn keepLongestEdge() {
  let ab = distance(positionOf(0u), positionOf(1u));
  let bc = distance(positionOf(1u), positionOf(2u));
  let ca = distance(positionOf(2u), positionOf(0u));
  if (ca > ab && ca > bc) {
    copyVertex(2u, 1u);
  } else if (bc > ab) {
    copyVertex(2u, 0u);
  }
  vertexCount = 2u;
}
