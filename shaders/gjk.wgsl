// Distance of two convex cores: Gilbert, Johnson, Keerthi (1988), as in van den Bergen, Collision Detection in
// Interactive 3D Environments (2004), chapter 4, on the Minkowski difference B - A.
//
// For every unit vector n, the least height of B - A along n is a lower bound of the signed distance, and the length of
// any point of B - A an upper one. The search keeps the best of both and the n that gave the lower one, so whatever
// ends it, the answer is as good as upper - lower says. Steps: support along -n for the nearest vector v = |v| n of the
// simplex; stop if the bounds meet; add the point; find the nearest face of the new simplex.
//
// Departures: v is perpendicular to its face by construction (simplex.wgsl), so the stopping test is reached in f32.
// And the search may start from a guess, the vertices of an earlier simplex. They are taken one by one like supports,
// each only if it brings the simplex nearer; being points of B - A they can't make a bound wrong, wherever the guess
// comes from, and what they give is tested by a support as ever.

import package::shared::constants::{GJK_EXIT_ULPS, GJK_TOUCH_ULPS, GJK_MAX_ITERATIONS, GJK_MAX_IDLE, CURVED_EXIT_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::support::{Point, differencePoint, differenceSupport, isCurvedPair, vertexCountOf, HAS_CURVED};
import package::simplex::{Simplex, nearestOnSimplex};

// How the search ended.
const GJK_CONVERGED: u32 = 0u;  // the cores are apart, bounds meet
const GJK_FAR: u32 = 1u;        // lower > far: left early
const GJK_NEAR: u32 = 2u;       // upper <= near: left early
const GJK_ENCLOSED: u32 = 3u;   // the simplex encloses the origin
const GJK_TOUCHING: u32 = 4u;   // the origin is on the simplex, to rounding
const GJK_STALLED: u32 = 5u;    // rounding or the iteration limit ended it; the bounds are what they are

struct GjkResult {
  state: u32,
  iterations: u32,
  // Bounds of the cores' distance; `upper` is 0 when the simplex encloses the origin.
  lower: f32,
  upper: f32,
  // Unit vector from A to B that gave `lower`, in A's frame.
  normal: vec3f,
  // The last simplex; its weights give the nearest points.
  simplex: Simplex,
}

// No vertex has this number.
const NO_ID: u32 = 0xffffffffu;

// Up to four points to start from by their vertices' numbers on A and on B; NO_ID after the last.
struct Guess {
  a: vec4u,
  b: vec4u,
}

// No guess: the search starts cold.
const NO_GUESS: Guess = Guess(vec4u(NO_ID), vec4u(NO_ID));

// Ends early once the distance is known to exceed `far` or to be at most `near` (negative: never).
fn gjk(pair: Pair, far: f32, near: f32, guess: Guess) -> GjkResult {
  let exit = select(GJK_EXIT_ULPS, CURVED_EXIT_ULPS, isCurvedPair(pair)) * EPSILON;
  let touch = GJK_TOUCH_ULPS * EPSILON;
  var normal = vec3f(1.0, 0.0, 0.0);
  let centres = length(pair.translation);
  if (centres > touch) {
    normal = pair.translation / centres;
  }
  var guesses = guess;
  var result: GjkResult;
  result.state = GJK_STALLED;
  result.normal = normal;
  result.lower = -1e30;
  result.upper = 1e30;
  var idle = 0u;
  // The first point goes through the loop like the others: compilers inline all calls, and the support is most of what
  // they have to compile.
  for (var i = 0u; i < GJK_MAX_ITERATIONS; i++) {
    if (result.lower > far) {
      result.state = GJK_FAR;
      break;
    }
    if (result.upper <= near) {
      result.state = GJK_NEAR;
      break;
    }
    if (result.upper <= touch) {
      result.state = GJK_TOUCHING;
      break;
    }
    let guessed = vec2u(guesses.a.x, guesses.b.x);
    let isGuess = isPoint(pair, guessed);
    var next: Point;
    if (isGuess) {
      next = withShortId(differencePoint(pair, guessed));
      guesses = Guess(vec4u(guesses.a.yzw, NO_ID), vec4u(guesses.b.yzw, NO_ID));
    } else {
      guesses = NO_GUESS;
      next = withShortId(differenceSupport(pair, -normal));
      result.iterations += 1u;
    }
    let height = dot(normal, next.position);
    let isHeld = holds(result.simplex, next.id);
    if (isGuess && (isHeld || result.upper - height <= exit)) {
      continue;
    }
    // Bounds of one and the same normal: the best lower bound may come from an earlier one, and while a gap of `exit`
    // allows the two to differ by the root of that in angle, the witness points could not be a multiple of the normal
    // apart.
    let hasConverged = result.upper - height <= exit;
    let isBetter = !isGuess && height > result.lower;
    if (isBetter || hasConverged) {
      result.lower = height;
      result.normal = normal;
    }
    if (hasConverged) {
      result.state = select(GJK_CONVERGED, GJK_FAR, result.lower > far);
      break;
    }
    if (result.lower > far) {
      // The first point may be the only one.
      result.upper = min(result.upper, length(next.position));
      continue;
    }
    if (isHeld) {
      break;
    }
    let step = nearestOnSimplex(result.simplex, next);
    if (step.encloses) {
      result.simplex = step.simplex;
      result.upper = 0.0;
      result.state = select(GJK_ENCLOSED, GJK_NEAR, near >= 0.0);
      break;
    }
    let length = length(step.point);
    // Near the end a turn of the normal by some angle changes its support by as much but shortens v by its square only,
    // which f32 may not show, and `lower` comes in zigzags: neither of them moving is no stall until it has happened
    // often.
    idle += select(0u, 1u, length >= result.upper && !isBetter);
    if (idle > GJK_MAX_IDLE) {
      break;
    }
    result.simplex = step.simplex;
    result.upper = length;
    normal = step.point / max(length, 1e-30);
  }
  result.simplex = withLongIds(result.simplex);
  return result;
}

// Whether a guess names a point of this pair's difference: the guess may be of another pair. NO_ID is compared
// separately, so that compilers remove the use of the guess from searches that start cold.
fn isPoint(pair: Pair, id: vec2u) -> bool {
  return id.x != NO_ID && id.x < vertexCountOf(pair.coreA) && id.y < vertexCountOf(pair.coreB);
}

fn holds(s: Simplex, id: vec2u) -> bool {
  return (s.count > 0u && all(s.a.id == id)) || (s.count > 1u && all(s.b.id == id)) ||
      (s.count > 2u && all(s.c.id == id));
}

// Vertices of cores that are not curved have numbers of 16 bits. While GJK runs, both share the first word: registers
// limit how many pairs a graphics card works on at once.
fn withShortId(point: Point) -> Point {
  return Point(point.position, select(vec2u(point.id.x | (point.id.y << 16u), 0u), point.id, HAS_CURVED));
}

fn withLongIds(s: Simplex) -> Simplex {
  var found = s;
  found.a.id = longId(s.a.id);
  found.b.id = longId(s.b.id);
  found.c.id = longId(s.c.id);
  found.d.id = longId(s.d.id);
  return found;
}

fn longId(id: vec2u) -> vec2u {
  return select(vec2u(id.x & 0xffffu, id.x >> 16u), id, HAS_CURVED);
}
