// The normal of an impact.
//
// Where bodies touch at a vertex or an edge, many normals separate them, and rounding of poses and times adds some that
// nearly do: a box that slides over a floor of tiles meets the next tile's side a few ulps below its upper face. Of all
// normals that separate the bodies to within the touch tolerance, the best is the one along which they close in the
// slowest: along the others they would pass, had they met a little later. Candidates are the normals of faces of either
// body, which are exact, those that the search itself found, and last the part of the best one that is perpendicular to
// the motion. Round bodies that only graze have no other normal along which they pass each other.

import package::shared::constants::{MOTION_LEAST_CLOSING_ULPS, MOTION_LEAST_VECTOR, MOTION_SHALLOW};
import package::shared::math::{EPSILON};
import package::shared::geometry::{geometryVector, geometryIndex, geometryLoop};
import package::shared::pair::{Pair};
import package::shared::shapes::{
  Shape, Core, CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_TRIANGLE, CORE_HULL, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID
};
import package::shared::support-in-loop::{supportInLoop};
import package::shared::support-of-polytope::{vertexOfPolytope};
import package::triangle::{triangleFrame};
import package::cast::{CastResult};
import package::queries::surface::{Surface};

// Candidates that come before the bodies' faces.
const OWN_CANDIDATES: u32 = 2u;
// A point is well inside a facet if it is farther from the facet's border than this, in touch tolerances: other normals
// that separate the bodies to within the tolerance may be off by as much.
const IMPACT_NORMAL_BORDER: f32 = 16.0;
// With at most this many candidates, all are tried, for an exact normal.
const IMPACT_NORMAL_FEW: u32 = 14u;
const IMPACT_NORMAL_BIAS_ULPS: f32 = 16.0;
// The part of a unit normal that is perpendicular to the motion has a direction from this length on.
const IMPACT_NORMAL_LEAST_ACROSS: f32 = 0.125;

struct ImpactNormal {
  normal: vec3f,
  // The rate at which B closes in along it, per length of its translation, and how far within the target distance the
  // cores are.
  closing: f32,
  depth: f32,
}

// Chooses, of the normals that separate the cores by `targetDistance` to within `touchTolerance`, the one along which B
// closes in the slowest. `found` is the end of a cast along `direction`, with its points `cores`, and `pair` has B
// there.
fn impactNormal(
  pair: Pair, shapeA: Shape, shapeB: Shape, direction: vec3f, targetDistance: f32, touchTolerance: f32,
  found: CastResult, cores: Surface
) -> ImpactNormal {
  var best = ImpactNormal(found.normal, 2.0, 0.0);
  let localA = cores.onA;
  let localB = (cores.onB - pair.translation) * pair.rotation;
  // Two flat bodies that pass through each other are apart along the normal of either side, and yet they meet.
  let isFlat = targetDistance <= touchTolerance && isFlatCore(shapeA, pair.coreA, touchTolerance) &&
      isFlatCore(shapeB, pair.coreB, touchTolerance);
  let hasPoint = shapeA.kind == CORE_POINT || shapeB.kind == CORE_POINT;
  let countA = flatFaceCount(shapeA, isFlat, hasPoint);
  let count = OWN_CANDIDATES + countA + flatFaceCount(shapeB, isFlat, hasPoint);
  // Whether they touch well inside a facet of the difference: then its normal is the only one.
  var isInside = false;
  var isFace = false;
  for (var i = 0u; i <= count; i++) {
    var candidate = vec3f(0.0);
    if (i == 0u) {
      let s = found.simplex;
      let frame = triangleFrame(s.a.position, s.b.position, s.c.position);
      if (s.count < 3u || !frame.hasInside) {
        continue;
      }
      candidate = select(frame.normal, -frame.normal, dot(frame.normal, direction) > 0.0);
      // A weight times the height over its edge is the distance from that edge.
      let longest = max(frame.base, max(distance(s.a.position, s.c.position), distance(s.b.position, s.c.position)));
      let least = min(s.weights.x, min(s.weights.y, s.weights.z));
      isInside = count > IMPACT_NORMAL_FEW &&
          least * frame.base * frame.height > IMPACT_NORMAL_BORDER * touchTolerance * longest;
    } else if (i == 1u) {
      // The direction of a short vector is mostly rounding.
      if (found.distance < MOTION_LEAST_VECTOR) {
        continue;
      }
      candidate = found.nearest / found.distance;
    } else if (i == count) {
      // A ray or ball that only touches a round body has no candidate of its own that is exactly across its way. Others
      // are held up by what they slide over.
      let across = best.normal - dot(best.normal, direction) * direction;
      let size = length(across);
      if (isFlat || !hasPoint || best.closing <= 0.0 || size < IMPACT_NORMAL_LEAST_ACROSS) {
        continue;
      }
      candidate = across / size;
    } else {
      let isA = i < OWN_CANDIDATES + countA;
      var shape = shapeB;
      var core = pair.coreB;
      var local = localB;
      var number = i - OWN_CANDIDATES - countA;
      if (isA) {
        shape = shapeA;
        core = pair.coreA;
        local = localA;
        number = i - OWN_CANDIDATES;
      }
      let face = outwardFace(shape, core, number, local);
      // A flat box has no area on its sides.
      if (isFlat && hasPoint && isBoxLike(shape) && dot(abs(face.xyz), core.halfExtents) > touchTolerance) {
        continue;
      }
      if (dot(face.xyz, local) < face.w - 2.0 * touchTolerance) {
        continue;
      }
      candidate = face.xyz;
      if (!isA) {
        candidate = -(pair.rotation * face.xyz);
      }
    }
    let closing = select(-dot(candidate, direction), 0.0, i == count);
    // Normals of faces are exact. Others have to be slower by more than their rounding.
    let bias = select(0.0, IMPACT_NORMAL_BIAS_ULPS * EPSILON, i >= OWN_CANDIDATES && i < count && !isFace);
    // The vector between the cores ends in the difference, so no candidate separates the cores by more than its length
    // along it.
    if (closing >= best.closing + bias || dot(candidate, found.nearest) < targetDistance - touchTolerance ||
        (isFlat && closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON)) {
      continue;
    }
    let depth = targetDistance - dot(candidate, supportInLoop(pair, -candidate).position);
    if (depth <= touchTolerance) {
      best = ImpactNormal(candidate, closing, depth);
      isFace = i >= OWN_CANDIDATES;
      if (isInside && i == 0u) {
        break;
      }
    }
  }
  if (best.closing == 2.0) {
    best.closing = -dot(best.normal, direction);
  }
  return best;
}

// Whether a core has no inside.
fn isFlatCore(shape: Shape, core: Core, touchTolerance: f32) -> bool {
  let half = core.halfExtents;
  switch (shape.kind) {
    case CORE_POINT, CORE_SEGMENT, CORE_TRIANGLE: {
      return true;
    }
    case CORE_HULL: {
      return shape.faceCount <= 2u;
    }
    case CORE_CYLINDER, CORE_CONE: {
      return min(half.x, half.y) <= touchTolerance;
    }
    default: {
      return min(half.x, min(half.y, half.z)) <= touchTolerance;
    }
  }
}

// Whether bodies that touch at `travelled`, with a translation up to `end`, overlap by no more than the touch tolerance
// along their normal.
fn isPassing(face: ImpactNormal, travelled: f32, end: f32, touchTolerance: f32) -> bool {
  return face.closing <= 0.0 ||
      staysShallow(face.closing, face.depth + face.closing * max(end - travelled, 0.0), touchTolerance);
}

// Whether bodies that close in at this rate, with this overlap at the end, only touch. Half the tolerance is left for
// the next body in a line, which has its own rounding. Bodies that close in by no more than rounding may use all of it.
fn staysShallow(closing: f32, depth: f32, touchTolerance: f32) -> bool {
  return closing <= MOTION_SHALLOW * touchTolerance &&
      depth <= select(0.5 * touchTolerance, touchTolerance, closing <= MOTION_LEAST_CLOSING_ULPS * EPSILON);
}

fn isBoxLike(shape: Shape) -> bool {
  return shape.kind == CORE_BOX || shape.kind == CORE_ELLIPSOID;
}

// Flat faces of a core. For a ray or ball also the side of a cylinder or a cone, unless it is a disc, and the plane of
// a flat ellipsoid.
fn flatFaceCount(shape: Shape, isFlat: bool, hasPoint: bool) -> u32 {
  switch (shape.kind) {
    case CORE_TRIANGLE, CORE_HULL: {
      return shape.faceCount;
    }
    case CORE_BOX: {
      return 6u;
    }
    case CORE_CYLINDER: {
      return select(2u, 3u, hasPoint && !isFlat);
    }
    case CORE_CONE: {
      return select(1u, 2u, hasPoint && !isFlat);
    }
    case CORE_ELLIPSOID: {
      return select(0u, 6u, hasPoint && isFlat);
    }
    default: {
      return 0u;
    }
  }
}

// Outward unit normal of face i, in the body's frame, and how far along it the face is. Of a side, the normal away
// from the axis where the point is.
fn outwardFace(shape: Shape, core: Core, i: u32, point: vec3f) -> vec4f {
  if (shape.kind == CORE_TRIANGLE || shape.kind == CORE_HULL) {
    let row = core.firstRow + core.vertexCount + shape.edgeCount + i;
    let firstLoopRow = core.firstRow + core.vertexCount + shape.edgeCount + shape.faceCount;
    let normal = geometryVector(row);
    // The number of its vertices comes first, then the vertices.
    let first = geometryLoop(firstLoopRow, geometryIndex(row) + 1u);
    return vec4f(normal, dot(normal, vertexOfPolytope(core, first)));
  }
  if (i == select(2u, 1u, shape.kind == CORE_CONE) && !isBoxLike(shape)) {
    let away = vec3f(point.x, 0.0, point.z);
    return vec4f(away / max(length(away), 1e-30), core.halfExtents.x);
  }
  let axis = select(1u, i >> 1u, isBoxLike(shape));
  let unit = select(vec3f(0.0), vec3f(1.0), vec3u(0u, 1u, 2u) == vec3u(axis));
  return vec4f(unit * select(-1.0, 1.0, (i & 1u) == 1u), dot(unit, core.halfExtents));
}
