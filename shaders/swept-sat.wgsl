// When two boxes that translate meet: the separating axis test over time, Ericson, Real-Time Collision Detection
// (2005), 5.5.8, for oriented boxes.
//
// Along each of the 15 axes of sat.wgsl, the boxes overlap over an interval of the translation. They meet at the latest
// beginning of these intervals if it comes before the earliest end, and part at that end. There is no search, and
// beginnings may be negative. As in impact-normal.wgsl, several axes may separate the boxes to within the touch
// tolerance where they meet; the one along which they close in the slowest gives the normal.

import package::shared::constants::{MOTION_LEAST_CLOSING_ULPS, SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS, SAT_TIE_ULPS};
import package::shared::math::{EPSILON, unitAxis};
import package::shared::pair::{Pair};
import package::impact::{ImpactResult, IMPACT_FAR, IMPACT_MET, IMPACT_NONE};
import package::cast::{movedBy};
import package::impact-normal::{staysShallow};
import package::box-witness::{satWitness};
import package::sat::{SatResult, sat};

// For three axes: where on the translation the overlap begins and ends, and the rate at which B moves along the axis,
// per length of translation.
struct Sweep {
  enter: vec3f,
  leave: vec3f,
  rate: vec3f,
}

// `offset` and `rate` are B's position and motion along axes of length 1 / `toUnit`; `projectedRadii` is the sum of
// both boxes' half projections. Along an axis perpendicular to the translation no overlap begins: either the boxes
// pass, or the axis decides nothing.
fn sweep(offset: vec3f, rate: vec3f, projectedRadii: vec3f, toUnit: vec3f, touchTolerance: f32) -> Sweep {
  let side = select(vec3f(-1.0), vec3f(1.0), rate >= vec3f(0.0));
  let speed = abs(rate);
  let isMoving = speed * toUnit > vec3f(MOTION_LEAST_CLOSING_ULPS * EPSILON);
  let passes = (abs(offset) - projectedRadii) * toUnit > vec3f(-touchTolerance);
  let inverse = 1.0 / max(speed, vec3f(1e-20));
  let still = select(vec3f(-IMPACT_FAR), vec3f(2.0 * IMPACT_FAR), passes);
  // Axes that decide nothing are as deep as can be.
  return Sweep(
    select(still, (-projectedRadii - offset * side) * inverse, isMoving),
    select(vec3f(IMPACT_FAR), (projectedRadii - offset * side) * inverse, isMoving),
    select(vec3f(1.0), speed * toUnit, isMoving),
  );
}

// Along the products of A's three edges with B's edge `edge`; see sat.wgsl.
fn sweepEdges(
  edge: vec3f, halfExtentsA: vec3f, translation: vec3f, direction: vec3f, projectedRadiiB: vec3f, touchTolerance: f32
) -> Sweep {
  let size = abs(edge);
  let projectedRadiiA = size.yxx * halfExtentsA.zzy + size.zzy * halfExtentsA.yxx;
  let squared = edge.yxx * edge.yxx + edge.zzy * edge.zzy;
  let parallel = SAT_PARALLEL_ULPS * EPSILON;
  let isAxis = squared > vec3f(parallel * parallel);
  let found = sweep(
    cross(edge, translation), cross(edge, direction), projectedRadiiA + projectedRadiiB,
    inverseSqrt(max(squared, vec3f(1e-20))), touchTolerance
  );
  return Sweep(select(vec3f(-IMPACT_FAR), found.enter, isAxis), select(vec3f(IMPACT_FAR), found.leave, isAxis),
      select(vec3f(1.0), found.rate, isAxis));
}

// As `impact`, for boxes without rounding and margin.
fn sweptSat(
  pair: Pair, direction: vec3f, end: f32, isStart: bool, isMoving: bool, touchTolerance: f32
) -> ImpactResult {
  let r = pair.rotation;
  let t = pair.translation;
  let a = pair.coreA.halfExtents;
  let b = pair.coreB.halfExtents;
  var result: ImpactResult;
  result.iterations = 1u;
  if (!isMoving) {
    let best = sat(pair);
    result.state = select(IMPACT_NONE, IMPACT_MET, best.separation <= 0.0);
    result.isInside = best.separation <= 0.0;
    result.normal = best.normal;
    let witness = satWitness(pair, best);
    result.point = 0.5 * (witness.onA + witness.onB);
    return result;
  }
  let r01 = abs(cross(r[0], r[1]));
  let r12 = abs(cross(r[1], r[2]));
  let r20 = abs(cross(r[2], r[0]));
  let one = vec3f(1.0);
  let facesA = sweep(t, direction, a + abs(r[0]) * b.x + abs(r[1]) * b.y + abs(r[2]) * b.z, one, touchTolerance);
  let facesB = sweep(
    t * r, direction * r, b + vec3f(dot(a, abs(r[0])), dot(a, abs(r[1])), dot(a, abs(r[2]))), one, touchTolerance
  );
  let edges0 = sweepEdges(r[0], a, t, direction, r01 * b.y + r20 * b.z, touchTolerance);
  let edges1 = sweepEdges(r[1], a, t, direction, r01 * b.x + r12 * b.z, touchTolerance);
  let edges2 = sweepEdges(r[2], a, t, direction, r20 * b.x + r12 * b.y, touchTolerance);
  let enters = max(max(max(facesA.enter, facesB.enter), edges0.enter), max(edges1.enter, edges2.enter));
  let leaves = min(min(min(facesA.leave, facesB.leave), edges0.leave), min(edges1.leave, edges2.leave));
  result.travelled = max(enters.x, max(enters.y, enters.z));
  let leave = min(leaves.x, min(leaves.y, leaves.z));
  // Flat boxes leave as soon as they enter.
  if (result.travelled > leave + SAT_TIE_ULPS * EPSILON || result.travelled > end || leave < 0.0) {
    return result;
  }
  result.isInside = result.travelled <= 0.0;
  if (result.isInside && isStart) {
    // The overlap along each axis at the end of its interval.
    let depths = min(min(min(facesA.leave * facesA.rate, facesB.leave * facesB.rate), edges0.leave * edges0.rate),
        min(edges1.leave * edges1.rate, edges2.leave * edges2.rate));
    if (min(depths.x, min(depths.y, depths.z)) <= touchTolerance) {
      return result;
    }
  }
  var deciding = Least(2.0, 0u);
  var chosen = Least(2.0, 0u);
  var all = array(facesA, facesB, edges0, edges1, edges2);
  var numbers = array(
    vec3u(0u, 1u, 2u), vec3u(3u, 4u, 5u), vec3u(6u, 9u, 12u), vec3u(7u, 10u, 13u), vec3u(8u, 11u, 14u)
  );
  var isPassing = false;
  for (var i = 0u; i < 5u; i++) {
    let bias = select(0.0, SAT_FACE_BIAS_ULPS * EPSILON, i >= 2u);
    let depth = (result.travelled - all[i].enter) * all[i].rate;
    let deepest = (end - all[i].enter) * all[i].rate;
    for (var k = 0u; k < 3u; k++) {
      isPassing |= staysShallow(all[i].rate[k], deepest[k], touchTolerance);
    }
    deciding = lesserOf(deciding, depth + bias, numbers[i]);
    chosen = lesserOf(chosen, select(vec3f(2.0), all[i].rate + bias, depth <= vec3f(touchTolerance)), numbers[i]);
  }
  result.state = select(IMPACT_MET, IMPACT_NONE, isPassing);
  result.normal = axisTowardsA(pair, chosen.number, direction);
  // The points are those of the axis that decides the time.
  let witness = satWitness(
    movedBy(pair, direction, result.travelled),
    SatResult(0.0, axisTowardsA(pair, deciding.number, direction), deciding.number)
  );
  result.point = 0.5 * (witness.onA + witness.onB);
  return result;
}

// An axis, from A to B.
fn axisTowardsA(pair: Pair, number: u32, direction: vec3f) -> vec3f {
  // A variable, as not every compiler indexes a matrix argument by a number it does not know.
  var axesB = pair.rotation;
  var axis = unitAxis(number);
  if (number >= 6u) {
    axis = normalize(cross(unitAxis((number - 6u) / 3u), axesB[(number - 6u) % 3u]));
  } else if (number >= 3u) {
    axis = axesB[number - 3u];
  }
  return select(axis, -axis, dot(axis, direction) > 0.0);
}

// The least of some numbers, and whose it is.
struct Least {
  value: f32,
  number: u32,
}

fn lesserOf(given: Least, values: vec3f, numbers: vec3u) -> Least {
  var least = given;
  for (var i = 0u; i < 3u; i++) {
    if (values[i] < least.value) {
      least = Least(values[i], numbers[i]);
    }
  }
  return least;
}
