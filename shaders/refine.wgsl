// Depth of curved pairs that EPA does not bracket: where a difference is nearly as near to the origin in many directions (concentric
// balls, coaxial cylinders), no polytope of a hundred faces tells which is the nearest.
//
// The least height of B - A along any unit vector n is a lower bound of the signed distance, so that it is enough to look for a better
// n. First by climbing: heights along six normals around the best make a parabola, whose top is tried (the idea of Powell's methods
// without derivatives, e.g. NEWUOA, 2006); where the best did not move far, the six come nearer. Then by EPA, on polytopes of its own
// around the best normal, whose faces give kinks exactly, and witness points. EPA's upper bound stays, as it holds for all directions.

import package::shared::constants::{CLIMB_END, CLIMB_FAR, CLIMB_ROUNDS, CLIMB_SHRINK, CLIMB_START, REFINE_LOSS, REFINE_ROUNDS, REFINE_SHRINK, REFINE_TILT};
import package::shared::math::{perpendicular};
import package::shared::pair::{Pair};
import package::shared::support::{differenceSupport};
import package::epa::{epa, EpaResult, EPA_CONVERGED};

// EPA's answer from a simplex, refined where EPA has none. `isRefined` says which.
struct RefinedResult {
  epa: EpaResult,
  isRefined: bool,
}

fn refine(pair: Pair, simplexIds: array<vec2u, 4>, simplexCount: u32) -> RefinedResult {
  var ids = simplexIds;
  var best: EpaResult;
  var tilt = REFINE_TILT;
  var iterations = 0u;
  // EPA is called in one place, for all rounds: compilers inline it.
  for (var round = 0u; round <= REFINE_ROUNDS; round++) {
    let found = epa(pair, ids, select(4u, simplexCount, round == 0u), round > 0u);
    iterations += found.iterations;
    if (round == 0u) {
      best = found;
      if (found.state == EPA_CONVERGED || found.upper >= 0.0) {
        return RefinedResult(best, false);
      }
      let top = climb(pair, best.normal, best.lower);
      best.normal = top.normal;
      best.lower = top.height;
      iterations += top.iterations;
    } else {
      tilt *= REFINE_SHRINK;
      if (found.lower >= best.lower - REFINE_LOSS) {
        let upper = best.upper;
        best = found;
        best.upper = upper;
      }
    }
    best.iterations = iterations;
    ids = around(pair, best.normal, tilt);
  }
  return RefinedResult(best, true);
}

// Supports along three normals around one, and along its opposite, by id.
fn around(pair: Pair, normal: vec3f, tilt: f32) -> array<vec2u, 4> {
  let frame = frameOf(normal);
  var ids: array<vec2u, 4>;
  for (var corner = 0u; corner < 4u; corner++) {
    let direction = select(-tilted(frame, cornerAt(corner) * tilt), normal, corner == 3u);
    ids[corner] = differenceSupport(pair, direction).id;
  }
  return ids;
}

// A third of a circle apart.
fn cornerAt(i: u32) -> vec2f {
  return select(vec2f(-0.5, select(0.8660254, -0.8660254, i == 2u)), vec2f(1.0, 0.0), i == 0u);
}

struct Top {
  normal: vec3f,
  // The least height of B - A along it.
  height: f32,
  iterations: u32,
}

// A normal of the greatest least height nearby.
fn climb(pair: Pair, normal: vec3f, height: f32) -> Top {
  var top = Top(normal, height, 0u);
  var reach = CLIMB_START;
  for (var round = 0u; round < CLIMB_ROUNDS && reach > CLIMB_END; round++) {
    let frame = frameOf(top.normal);
    let middle = top.height;
    // Sums of the six heights over the middle: themselves, times cosine and sine, times those of the double angle.
    var sum = 0.0;
    var slope = vec2f(0.0);
    var twice = vec2f(0.0);
    var at = vec2f(1.0, 0.0);
    for (var k = 0u; k < 7u; k++) {
      var offset = at * reach;
      if (k == 6u) {
        offset = topOf(sum, slope, twice, reach);
      }
      let candidate = tilted(frame, offset);
      let found = dot(candidate, differenceSupport(pair, -candidate).position);
      if (found > top.height) {
        top.height = found;
        top.normal = candidate;
      }
      let rise = found - middle;
      sum += rise;
      slope += at * rise;
      twice += vec2f(at.x * at.x - at.y * at.y, 2.0 * at.x * at.y) * rise;
      // By a sixth of the circle.
      at = vec2f(0.5 * at.x - 0.8660254 * at.y, 0.8660254 * at.x + 0.5 * at.y);
    }
    top.iterations += 7u;
    if (distance(top.normal, frame[2]) < CLIMB_FAR * reach) {
      reach *= CLIMB_SHRINK;
    }
  }
  return top;
}

// Where a parabola through the middle and six heights has its top, or a way up. First and second harmonics of the six are its slopes
// and curvatures, here times the reach and its square.
fn topOf(sum: f32, slope: vec2f, twice: vec2f, reach: f32) -> vec2f {
  let bend = sum / 3.0;
  let xx = bend + twice.x * (2.0 / 3.0);
  let yy = bend - twice.x * (2.0 / 3.0);
  let xy = twice.y * (2.0 / 3.0);
  let determinant = xx * yy - xy * xy;
  let isTop = determinant > 0.0 && bend < 0.0;
  var step = slope;
  if (isTop) {
    step = vec2f(xy * slope.y - yy * slope.x, xy * slope.x - xx * slope.y) * (reach / 3.0) / determinant;
  }
  // Divided by the greater component first: squares might vanish or overflow.
  let size = max(abs(step.x), abs(step.y));
  let direction = step / max(size, 1e-30);
  let length = max(length(direction), 1e-30);
  return direction * min(select(1e30, size, isTop), 2.0 * reach / length);
}

// The normal and two directions across it, last the normal.
fn frameOf(normal: vec3f) -> mat3x3f {
  let across = perpendicular(normal);
  return mat3x3f(across, cross(normal, across), normal);
}

// The normal that is `offset` off the frame's.
fn tilted(frame: mat3x3f, offset: vec2f) -> vec3f {
  return normalize(frame * vec3f(offset, 1.0));
}
