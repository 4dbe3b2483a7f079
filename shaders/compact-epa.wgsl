// Penetration depth of two convex cores by EPA, for ordinary pairs: the algorithm of epa.wgsl on a compact polytope
// (compact-polytope.wgsl), which has little memory and grows in one coherent loop.
//
// It starts from GJK's tetrahedron, or from its triangle and a support on either side. Left to epa.wgsl are pairs with
// a lesser simplex or a flat difference, pairs that need more vertices than there is room for, and pairs for which
// rounding makes the horizon more than one loop or a face fold back. Constants, bounds, witness points and iterations
// are the same.

import package::compact-polytope::{
  planes, corners, faceCount, nearestFace, positionOf, idOf, setVertex, startPolytope, expand, unpack, MAX_VERTICES
};
import package::compact-polytope::sets::{FaceSet, faceSet, hasFaces, lowestFace, withoutLowestFace};
import package::epa::search::{EpaResult, EPA_CONVERGED, EPA_STALLED, keepDirection, supportId};
import package::shared::constants::{CURVED_EPA_EXIT_ULPS, EPA_EXIT_ULPS, EPA_TIE_ULPS, FLAT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::support::{differencePoint, isCurvedPair};
import package::triangle::{nearestOnTriangle};

// The state is EPA_CONVERGED, or EPA_STALLED for a pair that is left; its other members have no meaning then.
fn compactEpa(pair: Pair, ids: array<vec2u, 4>, simplexCount: u32) -> EpaResult {
  let flat = FLAT_ULPS * EPSILON;
  let exit = select(EPA_EXIT_ULPS, CURVED_EPA_EXIT_ULPS, isCurvedPair(pair)) * EPSILON;
  var result: EpaResult;
  result.state = EPA_STALLED;
  result.lower = -1e30;
  var simplex = ids;
  if (simplexCount < 3u) {
    return result;
  }
  for (var i = 0u; i < 3u; i++) {
    setVertex(i, differencePoint(pair, simplex[i]));
  }
  if (!startPolytope()) {
    return result;
  }
  var answer = 0u;
  // First the fourth vertex, on either side of the triangle.
  var isStarting = true;
  var face = 0u;
  for (var i = 0u; i < MAX_VERTICES; i++) {
    let plane = planes[face];
    var id = simplex[3];
    if (!isStarting || simplexCount == 3u) {
      id = supportId(pair, -plane.xyz);
    }
    let point = differencePoint(pair, id);
    let height = dot(plane.xyz, point.position);
    let rise = plane.w - height;
    var most = 1e30;
    if (isStarting) {
      if (rise < flat) {
        if (face == 1u) {
          break;
        }
        face = 1u;
        continue;
      }
    } else {
      result.iterations += 1u;
      let isMet = rise <= exit;
      if (keepDirection(plane.xyz, height, &result) || isMet) {
        result.lower = height;
        result.normal = plane.xyz;
        answer = corners[face];
      }
      result.upper = plane.w;
      if (isMet) {
        result.state = EPA_CONVERGED;
        break;
      }
      most = plane.w + exit;
    }
    if (!expand(face, point, most)) {
      break;
    }
    isStarting = false;
    face = nearestFace;
  }
  if (result.state == EPA_CONVERGED) {
    storeWitness(answer, &result);
  }
  return result;
}

// The witness points, at the foot of the perpendicular from the origin on the answer's plane. A facet of the difference
// can be covered by several faces, any of which may have ended the search; the one nearest to the foot is taken.
fn storeWitness(answer: u32, result: ptr<function, EpaResult>) {
  var candidates = FaceSet();
  for (var f = 0u; f < faceCount; f++) {
    if (planes[f].w >= (*result).lower - EPA_TIE_ULPS * EPSILON) {
      candidates |= faceSet(f);
    }
  }
  let foot = (*result).normal * (*result).lower;
  var packed = answer;
  var nearest = answer;
  var leastMiss = 1e30;
  loop {
    let c = unpack(packed);
    let on = nearestOnTriangle(positionOf(c.x) - foot, positionOf(c.y) - foot, positionOf(c.z) - foot);
    let miss = length(on.point);
    if (miss < leastMiss) {
      leastMiss = miss;
      nearest = packed;
      (*result).weights = on.weights;
      (*result).faceDistance = length(foot + on.point);
    }
    if (!hasFaces(candidates)) {
      break;
    }
    packed = corners[lowestFace(candidates)];
    candidates = withoutLowestFace(candidates);
  }
  let c = unpack(nearest);
  (*result).idA = idOf(c.x);
  (*result).idB = idOf(c.y);
  (*result).idC = idOf(c.z);
}
