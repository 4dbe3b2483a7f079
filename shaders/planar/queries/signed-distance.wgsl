// Signed distance of two bodies in 2-D, by the sequence of stages that the query selects; in A's frame and the pair's
// unit.
//
//     closed forms or SAT ("auto"), or MPR, or neither -> GJK, if the cores are apart or nearly so -> EPA, and SAT
//     where the polygon of EPA is full or flat
//
// One kernel holds all stages: in 2-D they are less code together than a single stage in 3-D.

import package::shared::constants::{PLANAR_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::planar::closed-form::{ClosedForm, areSegments, closedForm, hasClosedForm, satOfSegments};
import package::planar::epa::{epa};
import package::planar::gjk::{
  firstNormal, gjk, PLANAR_GJK_CONVERGED, PLANAR_GJK_ENCLOSED, PLANAR_GJK_FAR, PLANAR_GJK_STALLED
};
import package::planar::math::{rotateBack};
import package::planar::mpr::{mpr, PLANAR_MPR_FAR, PLANAR_MPR_OVERLAPPING};
import package::planar::pair::{PlanarPair};
import package::planar::queries::pair-unit::{acceptedGap, farthest};
import package::planar::sat::{sat, satDepth};
import package::planar::simplex::{Simplex};
import package::planar::support::{cornerA, cornerB, edgeCount, support, ARE_SMALL};
import package::planar::sweep::{SatResult};

// The stage that leads.
const PLANAR_STAGE_SAT: u32 = 0u;     // closed forms, then SAT
const PLANAR_STAGE_CLOSED: u32 = 1u;  // closed forms, then GJK
const PLANAR_STAGE_MPR: u32 = 2u;
const PLANAR_STAGE_GJK: u32 = 3u;

// Two cores of more corners together are searched by GJK and EPA rather than SAT, which takes a support for each. At
// least two small polygons'.
const SAT_CORNERS: u32 = 40u;

struct Answer {
  // Bounds of the surfaces' distance. `lower` is the signed distance, which supports along the normal reproduce.
  lower: f32,
  upper: f32,
  // Unit vector from A to B.
  normal: vec2f,
  // Points of the cores; not of pairs that left early.
  onA: vec2f,
  onB: vec2f,
  // A's and B's corner farthest along the normal; not of pairs that left early.
  corners: vec2u,
  hasPoints: bool,
  // The bounds are too far apart for an answer.
  isOpen: bool,
  iterations: u32,
}

fn takesClosedForm(pair: PlanarPair, stage: u32) -> bool {
  return stage <= PLANAR_STAGE_CLOSED && hasClosedForm(pair.coreA.kind, pair.coreB.kind);
}

fn takesSat(pair: PlanarPair, stage: u32) -> bool {
  return stage == PLANAR_STAGE_SAT && (ARE_SMALL || edgeCount(pair.coreA) + edgeCount(pair.coreB) <= SAT_CORNERS);
}

// `mprDepth` is one of PLANAR_MPR_ in planar/mpr.wgsl.
fn signedDistance(pair: PlanarPair, margin: f32, stage: u32, mprDepth: u32) -> Answer {
  let radius = pair.radiusA + pair.radiusB;
  let far = farthest(margin, radius);
  let isClosed = takesClosedForm(pair, stage);
  let isTried = takesSat(pair, stage);
  var best: SatResult;
  // One call for segments and polygons, because compilers inline every call.
  if ((isClosed && areSegments(pair)) || (isTried && !isClosed)) {
    best = sat(pair);
  }
  if (isClosed) {
    return closedAnswer(pair, far, closedForm(pair, best), 1u);
  }
  var normal = firstNormal(pair);
  if (isTried) {
    normal = best.normal;
    if (best.separation > far) {
      return farAnswer(radius, best.separation, 1e30, best.normal, 1u);
    }
    if (best.separation < -PLANAR_TOUCH_ULPS * EPSILON) {
      return bySat(pair, best, 1u);
    }
  }
  if (stage == PLANAR_STAGE_MPR) {
    let found = mpr(pair, far, mprDepth);
    if (found.state == PLANAR_MPR_FAR) {
      return farAnswer(radius, found.lower, 1e30, found.normal, found.iterations);
    }
    if (found.state == PLANAR_MPR_OVERLAPPING) {
      // The origin is in the difference; how deep at least is not known.
      return byChord(pair, found.lower, 0.0, found.normal, found.a.id, found.b.id, found.weight, found.iterations);
    }
  }
  let search = gjk(pair, far, -1.0, normal);
  if (search.state == PLANAR_GJK_FAR) {
    return farAnswer(radius, search.lower, search.upper, search.normal, search.iterations);
  }
  let s = search.simplex;
  // From the search on: what it found where the cores are apart.
  var lower = search.lower;
  var upper = search.upper;
  normal = search.normal;
  var first = s.a.id;
  var second = s.b.id;
  var weight = s.weights.x;
  var iterations = search.iterations;
  if (search.state != PLANAR_GJK_CONVERGED && search.state != PLANAR_GJK_STALLED) {
    let isInside = search.state == PLANAR_GJK_ENCLOSED;
    var isFound = false;
    if (!isTried && isInside) {
      let expansion = epa(pair, s);
      iterations += expansion.iterations;
      isFound = expansion.isFound;
      if (isFound) {
        lower = expansion.lower;
        upper = expansion.upper;
        normal = expansion.normal;
        first = expansion.a.id;
        second = expansion.b.id;
        weight = expansion.weight;
      }
    }
    if (!isFound) {
      if (!isTried) {
        if (hasClosedForm(pair.coreA.kind, pair.coreB.kind)) {
          return closedAnswer(pair, far, closedForm(pair, satOfSegments(pair)), iterations);
        }
        best = sat(pair);
      }
      if (isInside || best.separation < -PLANAR_TOUCH_ULPS * EPSILON) {
        return bySat(pair, best, iterations);
      }
      // Thin tips end to end touch beside the edges that say how deep.
      lower = best.separation;
      upper = best.separation;
      normal = best.normal;
    }
  }
  return byChord(pair, lower, upper, normal, first, second, weight, iterations);
}

// The answer for a pair that is farther apart than the margin.
fn farAnswer(radius: f32, lower: f32, upper: f32, normal: vec2f, iterations: u32) -> Answer {
  return Answer(lower - radius, upper - radius, normal, vec2f(0.0), vec2f(0.0), vec2u(0u), false, false, iterations);
}

// From bounds of the cores' distance and points of theirs.
fn answer(
  radius: f32, lower: f32, upper: f32, normal: vec2f, onA: vec2f, onB: vec2f, corners: vec2u, iterations: u32
) -> Answer {
  return Answer(
    lower - radius, upper - radius, normal, onA, onB, corners, true, lower > 0.0 && upper - lower > acceptedGap(),
    iterations
  );
}

fn closedAnswer(pair: PlanarPair, far: f32, found: ClosedForm, iterations: u32) -> Answer {
  let radius = pair.radiusA + pair.radiusB;
  if (found.distance > far) {
    return farAnswer(radius, found.distance, found.distance, found.normal, iterations);
  }
  let corners = vec2u(support(pair.coreA, found.normal), support(pair.coreB, rotateBack(pair.rotation, -found.normal)));
  return answer(radius, found.distance, found.distance, found.normal, found.onA, found.onB, corners, iterations);
}

fn bySat(pair: PlanarPair, best: SatResult, iterations: u32) -> Answer {
  let found = satDepth(pair, best);
  let separation = found.best.separation;
  let corners = select(
    vec2u(found.best.edge, found.best.corner), vec2u(found.best.corner, found.best.edge), found.best.isOfB
  );
  return answer(pair.radiusA + pair.radiusB, separation, separation, found.best.normal, found.points.onA,
      found.points.onB, corners, iterations);
}

// The points are those of a point between two of the difference's, the first of which has this weight.
fn byChord(
  pair: PlanarPair, lower: f32, upper: f32, normal: vec2f, first: vec2u, second: vec2u, weight: f32, iterations: u32
) -> Answer {
  let cores = chordPoints(pair, first, second, weight);
  return answer(pair.radiusA + pair.radiusB, lower, upper, normal, cores.onA, cores.onB, first, iterations);
}

struct CorePoints {
  onA: vec2f,
  onB: vec2f,
}

fn chordPoints(pair: PlanarPair, first: vec2u, second: vec2u, weight: f32) -> CorePoints {
  return CorePoints(
    mix(cornerA(pair, second.x), cornerA(pair, first.x), weight),
    mix(cornerB(pair, second.y), cornerB(pair, first.y), weight),
  );
}

fn simplexPoints(pair: PlanarPair, s: Simplex) -> CorePoints {
  return chordPoints(pair, s.a.id, s.b.id, s.weights.x);
}

// Points of the rounded surfaces. Exactly the distance apart along the normal: what rounding left between the two
// estimates is shared by both.
fn surfacePoints(pair: PlanarPair, found: Answer) -> CorePoints {
  let middle = 0.5 * (found.onA + found.onB + found.normal * (pair.radiusA - pair.radiusB));
  let half = found.normal * (0.5 * found.lower);
  return CorePoints(middle - half, middle + half);
}
