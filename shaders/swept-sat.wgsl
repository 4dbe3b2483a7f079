// When two boxes in straight motion meet: the separating axis test over time, Ericson, Real-Time Collision Detection
// (2005), 5.5.8, for oriented boxes.
//
// Along each of the 15 axes of sat.wgsl the boxes overlap from one place of the way to another. They meet at the latest
// of these beginnings, if that comes before the earliest end, and part at that: no search, and negative beginnings are
// as good as others. As in facing.wgsl, of the axes that separate the boxes to within `slack` where they meet, the one
// they close in along the slowest gives the normal.

import package::shared::constants::{MOTION_LEAST_CLOSING_ULPS, SAT_FACE_BIAS_ULPS, SAT_PARALLEL_ULPS, SAT_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::impact::{ImpactResult, IMPACT_FAR, IMPACT_MET, IMPACT_NONE};
import package::cast::{movedBy};
import package::facing::{staysShallow};
import package::box-witness::{satWitness};
import package::sat::{SatResult, sat, unitAxis};

// Of three axes: where on the way the boxes begin to overlap along them and where they end, and how fast they move
// along each, as a share of the way.
struct Sweep {
  enter: vec3f,
  leave: vec3f,
  rate: vec3f,
}

// `offset` and `rate` are B's place and motion along axes of which `toUnit` makes unit vectors; `reach` is the sum of
// both boxes' projections. Perpendicular to the way there is nothing to enter: either the boxes pass or this axis has
// no say.
fn sweep(offset: vec3f, rate: vec3f, reach: vec3f, toUnit: vec3f, slack: f32) -> Sweep {
  let side = select(vec3f(-1.0), vec3f(1.0), rate >= vec3f(0.0));
  let speed = abs(rate);
  let isMoving = speed * toUnit > vec3f(MOTION_LEAST_CLOSING_ULPS * EPSILON);
  let passes = (abs(offset) - reach) * toUnit > vec3f(-slack);
  let inverse = 1.0 / max(speed, vec3f(1e-20));
  let still = select(vec3f(-IMPACT_FAR), vec3f(2.0 * IMPACT_FAR), passes);
  // Those that have no say are as deep as can be.
  return Sweep(
    select(still, (-reach - offset * side) * inverse, isMoving),
    select(vec3f(IMPACT_FAR), (reach - offset * side) * inverse, isMoving),
    select(vec3f(1.0), speed * toUnit, isMoving),
  );
}

// Along the products of A's three edges with B's edge `edge`; see sat.wgsl.
fn sweepEdges(edge: vec3f, halfExtentsA: vec3f, translation: vec3f, along: vec3f, reachB: vec3f, slack: f32) -> Sweep {
  let size = abs(edge);
  let reachA = size.yxx * halfExtentsA.zzy + size.zzy * halfExtentsA.yxx;
  let squared = edge.yxx * edge.yxx + edge.zzy * edge.zzy;
  let parallel = SAT_PARALLEL_ULPS * EPSILON;
  let isAxis = squared > vec3f(parallel * parallel);
  let found = sweep(cross(edge, translation), cross(edge, along), reachA + reachB, inverseSqrt(max(squared, vec3f(1e-20))), slack);
  return Sweep(select(vec3f(-IMPACT_FAR), found.enter, isAxis), select(vec3f(IMPACT_FAR), found.leave, isAxis),
      select(vec3f(1.0), found.rate, isAxis));
}

// As `impact`, of boxes whose cores are all there is to them.
fn sweptSat(pair: Pair, along: vec3f, end: f32, isStart: bool, isMoving: bool, slack: f32) -> ImpactResult {
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
  let facesA = sweep(t, along, a + abs(r[0]) * b.x + abs(r[1]) * b.y + abs(r[2]) * b.z, one, slack);
  let facesB = sweep(t * r, along * r, b + vec3f(dot(a, abs(r[0])), dot(a, abs(r[1])), dot(a, abs(r[2]))), one, slack);
  let edges0 = sweepEdges(r[0], a, t, along, r01 * b.y + r20 * b.z, slack);
  let edges1 = sweepEdges(r[1], a, t, along, r01 * b.x + r12 * b.z, slack);
  let edges2 = sweepEdges(r[2], a, t, along, r20 * b.x + r12 * b.y, slack);
  let enters = max(max(max(facesA.enter, facesB.enter), edges0.enter), max(edges1.enter, edges2.enter));
  let leaves = min(min(min(facesA.leave, facesB.leave), edges0.leave), min(edges1.leave, edges2.leave));
  result.path = max(enters.x, max(enters.y, enters.z));
  let leave = min(leaves.x, min(leaves.y, leaves.z));
  // Flat boxes leave as soon as they enter.
  if (result.path > leave + SAT_TIE_ULPS * EPSILON || result.path > end || leave < 0.0) {
    return result;
  }
  result.isInside = result.path <= 0.0;
  if (result.isInside && isStart) {
    // How deep they are along each axis as they part along it.
    let depths = min(min(min(facesA.leave * facesA.rate, facesB.leave * facesB.rate), edges0.leave * edges0.rate),
        min(edges1.leave * edges1.rate, edges2.leave * edges2.rate));
    if (min(depths.x, min(depths.y, depths.z)) <= slack) {
      return result;
    }
  }
  var deciding = Least(2.0, 0u);
  var chosen = Least(2.0, 0u);
  var all = array(facesA, facesB, edges0, edges1, edges2);
  var numbers = array(vec3u(0u, 1u, 2u), vec3u(3u, 4u, 5u), vec3u(6u, 9u, 12u), vec3u(7u, 10u, 13u), vec3u(8u, 11u, 14u));
  var isPassing = false;
  for (var i = 0u; i < 5u; i++) {
    let bias = select(0.0, SAT_FACE_BIAS_ULPS * EPSILON, i >= 2u);
    let depth = (result.path - all[i].enter) * all[i].rate;
    let deepest = (end - all[i].enter) * all[i].rate;
    for (var k = 0u; k < 3u; k++) {
      isPassing |= staysShallow(all[i].rate[k], deepest[k], slack);
    }
    deciding = lesserOf(deciding, depth + bias, numbers[i]);
    chosen = lesserOf(chosen, select(vec3f(2.0), all[i].rate + bias, depth <= vec3f(slack)), numbers[i]);
  }
  result.state = select(IMPACT_MET, IMPACT_NONE, isPassing);
  result.normal = facingAxis(pair, chosen.number, along);
  // They touch where an axis has them that decides when.
  let witness = satWitness(movedBy(pair, along, result.path), SatResult(0.0, facingAxis(pair, deciding.number, along), deciding.number));
  result.point = 0.5 * (witness.onA + witness.onB);
  return result;
}

// An axis, from A to B.
fn facingAxis(pair: Pair, number: u32, along: vec3f) -> vec3f {
  // A variable, as not every compiler indexes a matrix argument by a number it does not know.
  var axesB = pair.rotation;
  var axis = unitAxis(number);
  if (number >= 6u) {
    axis = normalize(cross(unitAxis((number - 6u) / 3u), axesB[(number - 6u) % 3u]));
  } else if (number >= 3u) {
    axis = axesB[number - 3u];
  }
  return select(axis, -axis, dot(axis, along) > 0.0);
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
