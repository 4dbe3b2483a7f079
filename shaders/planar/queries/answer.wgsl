// Signed distance of two bodies of the plane, by the ladder that the query asks for; in A's frame and the pair's unit.
//
//     closed forms or SAT ("auto"), or MPR, or neither -> GJK, if the cores are apart or nearly so -> EPA, and SAT for what has no room or is flat
//
// One kernel holds it all: in the plane the whole of it is less than one of the stages that space needs.

import package::shared::constants::{PLANAR_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::planar::closed::{closedForm, hasClosedForm};
import package::planar::epa::{epa};
import package::planar::gjk::{firstNormal, gjk, PLANAR_GJK_CONVERGED, PLANAR_GJK_ENCLOSED, PLANAR_GJK_FAR, PLANAR_GJK_STALLED};
import package::planar::mpr::{mpr, PLANAR_MPR_FAR, PLANAR_MPR_OVERLAPPING};
import package::planar::pair::{PlanarPair};
import package::planar::queries::units::{acceptedGap, farthest};
import package::planar::sat::{SatResult, sat, satDepth};
import package::planar::simplex::{Simplex};
import package::planar::support::{Point, cornerA, cornerB, edgeCount};

// Where the ladder begins.
const PLANAR_RUNG_SAT: u32 = 0u;     // closed forms, then SAT
const PLANAR_RUNG_CLOSED: u32 = 1u;  // closed forms, then GJK
const PLANAR_RUNG_MPR: u32 = 2u;
const PLANAR_RUNG_GJK: u32 = 3u;

// Two cores of more corners together are searched by GJK and EPA rather than SAT, which takes a support for each.
const SAT_CORNERS: u32 = 40u;

struct Answer {
  // Of the surfaces. `lower` is the signed distance, which supports along the normal reproduce.
  lower: f32,
  upper: f32,
  // Unit vector from A to B.
  normal: vec2f,
  // Points of the cores; not of pairs that left early.
  onA: vec2f,
  onB: vec2f,
  hasPoints: bool,
  // The bounds are too far apart for an answer.
  isOpen: bool,
  iterations: u32,
}

fn takesClosedForm(pair: PlanarPair, rung: u32) -> bool {
  return rung <= PLANAR_RUNG_CLOSED && hasClosedForm(pair.coreA.kind, pair.coreB.kind);
}

fn takesSat(pair: PlanarPair, rung: u32) -> bool {
  return rung == PLANAR_RUNG_SAT && edgeCount(pair.coreA) + edgeCount(pair.coreB) <= SAT_CORNERS;
}

// `portals` is what MPR is asked for.
fn signedDistance(pair: PlanarPair, margin: f32, rung: u32, portals: u32) -> Answer {
  let radius = pair.radiusA + pair.radiusB;
  let far = farthest(margin, radius);
  if (takesClosedForm(pair, rung)) {
    let found = closedForm(pair);
    return answer(radius, found.distance, found.distance, found.normal, found.onA, found.onB, found.distance <= far, 1u);
  }
  var normal = firstNormal(pair);
  var best: SatResult;
  let isTried = takesSat(pair, rung);
  if (isTried) {
    best = sat(pair);
    normal = best.normal;
    if (best.separation > far) {
      return answer(radius, best.separation, 1e30, best.normal, vec2f(0.0), vec2f(0.0), false, 1u);
    }
    if (best.separation < -PLANAR_TOUCH_ULPS * EPSILON) {
      return bySat(pair, best, 1u);
    }
  }
  if (rung == PLANAR_RUNG_MPR) {
    let found = mpr(pair, far, portals);
    if (found.state == PLANAR_MPR_FAR) {
      return answer(radius, found.lower, 1e30, found.normal, vec2f(0.0), vec2f(0.0), false, found.iterations);
    }
    if (found.state == PLANAR_MPR_OVERLAPPING) {
      // The origin is in the difference; how deep at least is not known.
      let cores = chordPoints(pair, found.a, found.b, found.weight);
      return answer(radius, found.lower, 0.0, found.normal, cores.onA, cores.onB, true, found.iterations);
    }
  }
  let search = gjk(pair, far, -1.0, normal);
  if (search.state == PLANAR_GJK_FAR) {
    return answer(radius, search.lower, search.upper, search.normal, vec2f(0.0), vec2f(0.0), false, search.iterations);
  }
  if (search.state == PLANAR_GJK_CONVERGED || search.state == PLANAR_GJK_STALLED) {
    let cores = simplexPoints(pair, search.simplex);
    return answer(radius, search.lower, search.upper, search.normal, cores.onA, cores.onB, true, search.iterations);
  }
  var iterations = search.iterations;
  if (!isTried) {
    if (search.state == PLANAR_GJK_ENCLOSED) {
      let expansion = epa(pair, search.simplex);
      iterations += expansion.iterations;
      if (expansion.isFound) {
        let cores = chordPoints(pair, expansion.a, expansion.b, expansion.weight);
        return answer(radius, expansion.lower, expansion.upper, expansion.normal, cores.onA, cores.onB, true, iterations);
      }
    }
    if (hasClosedForm(pair.coreA.kind, pair.coreB.kind)) {
      let found = closedForm(pair);
      return answer(radius, found.distance, found.distance, found.normal, found.onA, found.onB, true, iterations);
    }
    best = sat(pair);
  }
  if (search.state == PLANAR_GJK_ENCLOSED || best.separation < -PLANAR_TOUCH_ULPS * EPSILON) {
    return bySat(pair, best, iterations);
  }
  // Thin tips end to end touch beside the edges that say how deep.
  let cores = simplexPoints(pair, search.simplex);
  return answer(radius, best.separation, best.separation, best.normal, cores.onA, cores.onB, true, iterations);
}

fn answer(radius: f32, lower: f32, upper: f32, normal: vec2f, onA: vec2f, onB: vec2f, hasPoints: bool, iterations: u32) -> Answer {
  return Answer(lower - radius, upper - radius, normal, onA, onB, hasPoints, hasPoints && lower > 0.0 && upper - lower > acceptedGap(), iterations);
}

fn bySat(pair: PlanarPair, best: SatResult, iterations: u32) -> Answer {
  let found = satDepth(pair, best);
  let separation = found.best.separation;
  return answer(pair.radiusA + pair.radiusB, separation, separation, found.best.normal, found.points.onA, found.points.onB, true, iterations);
}

struct CorePoints {
  onA: vec2f,
  onB: vec2f,
}

// Of a point between two of the difference's, the first of which has this weight.
fn chordPoints(pair: PlanarPair, a: Point, b: Point, weight: f32) -> CorePoints {
  return CorePoints(
    mix(cornerA(pair, b.id.x), cornerA(pair, a.id.x), weight),
    mix(cornerB(pair, b.id.y), cornerB(pair, a.id.y), weight),
  );
}

fn simplexPoints(pair: PlanarPair, s: Simplex) -> CorePoints {
  return chordPoints(pair, s.a, s.b, s.weights.x);
}
