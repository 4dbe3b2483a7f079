// Nearest points of two cores that are boxes, segments or points, by a projected Newton method: Bertsekas, "Projected
// Newton Methods for Optimization Problems with Simple Constraints" (1982).
//
// Half the squared distance of a point of B from A is a convex function of the point's coordinates in B's frame, which
// B's sides bound. With e the vector to the point from the nearest one of A, a step solves for the point at which those
// components of e vanish that are not zero, over the coordinates that B's sides don't hold, and is cut at the sides.
// Few steps do for most pairs. Some go round in circles between two choices of sides, out of which half a step and a
// step that leaves no side bring two of three.
//
// The result is tested as in GJK, by a support along its normal. If the bounds don't meet, the pair is left to GJK. For
// cores that overlap, a common point is the proof.

import package::shared::constants::{
  GJK_EXIT_ULPS, GJK_TOUCH_ULPS, NEWTON_DAMPING_ULPS, NEWTON_HALF_STEP, NEWTON_HOLDING_STEP, NEWTON_MAX_ITERATIONS,
  NEWTON_PARALLEL_ULPS, NEWTON_SKEW_ULPS
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};

// How the search ended.
const NEWTON_CONVERGED: u32 = 0u;  // the cores are apart, bounds meet
const NEWTON_NEAR: u32 = 1u;       // points of both are at most `near` apart, or touch
const NEWTON_OPEN: u32 = 2u;       // neither is known

struct NewtonResult {
  state: u32,
  iterations: u32,
  // The cores' distance if it converged, to rounding: what supports along `normal` are apart.
  lower: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec3f,
  // Nearest points, in A's frame.
  onA: vec3f,
  onB: vec3f,
}

// Ends early once the distance is known to be at most `near`.
fn newton(pair: Pair, near: f32) -> NewtonResult {
  let exit = GJK_EXIT_ULPS * EPSILON;
  let least = max(near, GJK_TOUCH_ULPS * EPSILON);
  let r = pair.rotation;
  let t = pair.translation;
  let sizeA = pair.coreA.halfExtents;
  let sizeB = pair.coreB.halfExtents;
  // From the point of B nearest to A's centre.
  var x = clamp(-(t * r), -sizeB, sizeB);
  var onB = r * x + t;
  var e = onB - clamp(onB, -sizeA, sizeA);
  var iterations = 1u;
  for (; iterations < NEWTON_MAX_ITERATIONS; iterations++) {
    let squared = dot(e, e);
    let gradient = e * r;
    // What B's support along -e gains over x, times e's length.
    let gain = dot(abs(gradient), sizeB) + dot(gradient, x);
    if (squared <= least * least || gain * gain <= exit * exit * squared) {
      break;
    }
    let isLeaving = (gradient * x > vec3f(0.0)) & vec3<bool>(iterations != NEWTON_HOLDING_STEP);
    let next = clamp(x + newtonStep(r, e, (abs(x) < sizeB) | isLeaving), -sizeB, sizeB);
    // Selected, so that a coordinate that is cut lies exactly on its side.
    x = select(next, 0.5 * (x + next), iterations == NEWTON_HALF_STEP);
    onB = r * x + t;
    e = onB - clamp(onB, -sizeA, sizeA);
  }

  var result: NewtonResult;
  result.iterations = iterations;
  result.onA = onB - e;
  result.onB = onB;
  result.state = NEWTON_NEAR;
  let upper = length(e);
  if (upper > least) {
    result.normal = perpendicularPart(r, e, abs(x) < sizeB);
    let supportA = select(-sizeA, sizeA, result.normal >= vec3f(0.0));
    let supportB = select(sizeB, -sizeB, result.normal * r >= vec3f(0.0));
    result.lower = dot(result.normal, r * supportB + t - supportA);
    // Bounds meet by the square of the angle between e and the normal, so that the points are asked for themselves.
    let hasConverged = upper - result.lower <= exit && distance(e, result.normal * upper) <= NEWTON_SKEW_ULPS * EPSILON;
    result.state = select(NEWTON_OPEN, NEWTON_CONVERGED, hasConverged);
  }
  return result;
}

// The columns of a rotation that are free, as far as `e` has components that are not zero.
fn freeColumns(rotation: mat3x3f, e: vec3f, isFree: vec3<bool>) -> mat3x3f {
  let isBeyond = e != vec3f(0.0);
  return mat3x3f(
    select(vec3f(0.0), rotation[0], isBeyond & vec3<bool>(isFree.x)),
    select(vec3f(0.0), rotation[1], isBeyond & vec3<bool>(isFree.y)),
    select(vec3f(0.0), rotation[2], isBeyond & vec3<bool>(isFree.z)),
  );
}

// The least-squares solution of freeColumns * step = -e, by the normal equations' Cholesky decomposition without roots.
// Where columns are dependent the damping makes it the shortest of the solutions.
fn newtonStep(rotation: mat3x3f, e: vec3f, isFree: vec3<bool>) -> vec3f {
  let damping = NEWTON_DAMPING_ULPS * EPSILON;
  let c = freeColumns(rotation, e, isFree);
  let d0 = dot(c[0], c[0]) + damping;
  let l10 = dot(c[0], c[1]) / d0;
  let l20 = dot(c[0], c[2]) / d0;
  let d1 = max(dot(c[1], c[1]) + damping - l10 * l10 * d0, damping);
  let l21 = (dot(c[1], c[2]) - l20 * l10 * d0) / d1;
  let d2 = max(dot(c[2], c[2]) + damping - l20 * l20 * d0 - l21 * l21 * d1, damping);
  let y0 = -dot(c[0], e);
  let y1 = -dot(c[1], e) - l10 * y0;
  let y2 = -dot(c[2], e) - l20 * y0 - l21 * y1;
  let step2 = y2 / d2;
  let step1 = y1 / d1 - l21 * step2;
  return vec3f(y0 / d0 - l10 * step1 - l20 * step2, step1, step2);
}

// Unit vector along e without what rounding left of it along the free columns, to which it is perpendicular where the
// points are nearest: a short e has hardly a direction of its own. By Gram and Schmidt.
fn perpendicularPart(rotation: mat3x3f, e: vec3f, isFree: vec3<bool>) -> vec3f {
  let c = freeColumns(rotation, e, isFree);
  let u = unitOrZero(c[0]);
  let v = unitOrZero(c[1] - u * dot(u, c[1]));
  let rest = c[2] - u * dot(u, c[2]);
  let w = unitOrZero(rest - v * dot(v, rest));
  var part = e - u * dot(u, e);
  part -= v * dot(v, part);
  part -= w * dot(w, part);
  return part / max(length(part), 1e-30);
}

// Zero for what is too short to be more than rounding.
fn unitOrZero(v: vec3f) -> vec3f {
  let squared = dot(v, v);
  let parallel = NEWTON_PARALLEL_ULPS * EPSILON;
  return v * select(0.0, inverseSqrt(max(squared, 1e-30)), squared > parallel * parallel);
}
