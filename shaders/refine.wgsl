// Depth of curved pairs that EPA does not bracket: where a difference is nearly as near to the origin in many
// directions (concentric balls, coaxial cylinders), no polytope of a hundred faces tells which is the nearest.
//
// The least height of B - A along any unit vector n is a lower bound of the signed distance, so that it is enough to
// look for a better n. First among the faces that EPA did not come to, the bodies' axes and their own faces. Then by
// climbing: heights along six normals around the best make a parabola, whose top is tried (the idea of Powell's methods
// without derivatives, e.g. NEWUOA, 2006), and so are turns about either body's axis, along the edges of shapes of
// revolution; where the best did not move far, the six come nearer. Then by EPA, on polytopes of its own around the
// best normal, whose faces give kinks exactly, and witness points; where these miss the normal, by GJK with B moved
// out. EPA's upper bound stays, as it holds for all directions.

import package::shared::constants::{
  CLIMB_END, CLIMB_FAR, CLIMB_ROUNDS, CLIMB_SHRINK, CLIMB_START, REFINE_FACES, REFINE_LOSS, REFINE_MISS, REFINE_REACH,
  REFINE_ROOM, REFINE_ROUNDS, REFINE_SHRINK, REFINE_TILT
};
import package::shared::geometry::{geometryVector};
import package::shared::math::{perpendicular};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support::{Point, differencePoint, differenceSupport};
import package::gjk::{gjk, NO_GUESS};
import package::epa::{epa, EpaResult, EPA_CONVERGED};
import package::polytope::{faceCount, planeOf};
import package::polytope::rank::{EVERYWHERE};

// EPA's answer from a simplex, refined where EPA has none. `isRefined` says which.
struct RefinedResult {
  epa: EpaResult,
  isRefined: bool,
}

// `normal` is another that is known, with its least height `lower`.
fn refine(
  pair: Pair, shapeA: Shape, shapeB: Shape, simplexIds: array<vec2u, 4>, simplexCount: u32, normal: vec3f, lower: f32
) -> RefinedResult {
  var ids = simplexIds;
  var best: EpaResult;
  var tilt = REFINE_TILT;
  var iterations = 0u;
  var witnessed = -1e30;
  // EPA is called in one place, for all rounds: compilers inline it.
  for (var round = 0u; round <= REFINE_ROUNDS; round++) {
    let isFirst = round == 0u;
    let reach = select(REFINE_REACH * tilt, EVERYWHERE, isFirst);
    let found = epa(pair, ids, select(4u, simplexCount, isFirst), best.normal, reach);
    iterations += found.iterations;
    if (isFirst) {
      best = found;
      if (found.state == EPA_CONVERGED || found.upper >= 0.0) {
        return RefinedResult(best, false);
      }
      var start = Top(best.normal, best.lower, 0u);
      if (lower > best.lower) {
        start = Top(normal, lower, 0u);
      }
      let top = climb(pair, tryFaces(pair, shapeA, shapeB, start));
      best.normal = top.normal;
      best.lower = top.height;
      iterations += top.iterations;
    } else {
      // A polytope that misses the best normal still has better witness points than EPA, whose lie where its own normal
      // points.
      let isAsGood = found.lower >= best.lower - REFINE_LOSS;
      if (isAsGood || found.lower > witnessed) {
        witnessed = found.lower;
        best.idA = found.idA;
        best.idB = found.idB;
        best.idC = found.idC;
        best.weights = found.weights;
      }
      if (isAsGood) {
        best.lower = found.lower;
        best.normal = found.normal;
      }
    }
    best.iterations = iterations;
    best.state = EPA_CONVERGED;
    tilt = select(tilt * REFINE_SHRINK, tilt, isFirst);
    ids = around(pair, best.normal, tilt);
  }
  return RefinedResult(lookFromOutside(pair, best), true);
}

// How far the witness points are from being `lower` apart along the normal.
fn missOf(pair: Pair, result: EpaResult) -> f32 {
  var point = -result.normal * result.lower;
  var ids = array(result.idA, result.idB, result.idC);
  var weights = result.weights;
  for (var corner = 0u; corner < 3u; corner++) {
    point += differencePoint(pair, ids[corner]).position * weights.x;
    weights = weights.yzx;
  }
  return length(point);
}

// Where the polytopes' witness points miss the normal: B is moved along it until the bodies are apart, and
// the points that are nearest then are the ones. Their normal may be the better one.
fn lookFromOutside(pair: Pair, refined: EpaResult) -> EpaResult {
  var best = refined;
  var miss = missOf(pair, refined);
  for (var round = 0u; round < REFINE_ROUNDS && miss > REFINE_MISS; round++) {
    var moved = pair;
    let way = best.normal * (REFINE_ROOM - best.lower);
    moved.translation += way;
    let outside = gjk(moved, 1e30, -1.0, NO_GUESS);
    let height = dot(outside.normal, differenceSupport(pair, -outside.normal).position);
    best.iterations += outside.iterations + 1u;
    if (height > best.lower) {
      best.lower = height;
      best.normal = outside.normal;
    }
    let s = outside.simplex;
    let weights = s.weights * select(vec4f(0.0), vec4f(1.0), vec4u(0u, 1u, 2u, 3u) < vec4u(s.count));
    let point = s.a.position * weights.x + s.b.position * weights.y + s.c.position * weights.z - way;
    let pointMiss = length(point - best.normal * best.lower);
    if (pointMiss >= miss) {
      break;
    }
    miss = pointMiss;
    best.idA = s.a.id;
    best.idB = select(s.a.id, s.b.id, s.count > 1u);
    best.idC = select(s.a.id, s.c.id, s.count > 2u);
    best.weights = weights.xyz;
  }
  return best;
}

// Three supports along normals around one that make a triangle as large as can be, and the one along its opposite, by
// id.
fn around(pair: Pair, normal: vec3f, tilt: f32) -> array<vec2u, 4> {
  let frame = frameOf(normal);
  var points: array<Point, 6>;
  var at = vec2f(tilt, 0.0);
  for (var k = 0u; k < 6u; k++) {
    points[k] = differenceSupport(pair, -tilted(frame, at));
    at = turnedBySixth(at);
  }
  // The farthest from the first, and the farthest from their line.
  let first = points[0].position;
  var b = 0u;
  var c = 0u;
  var most = 0.0;
  for (var k = 1u; k < 6u; k++) {
    let size = distance(points[k].position, first);
    b = select(b, k, size > most);
    most = max(most, size);
  }
  let along = points[b].position - first;
  most = 0.0;
  for (var k = 1u; k < 6u; k++) {
    let size = length(cross(along, points[k].position - first));
    c = select(c, k, size > most);
    most = max(most, size);
  }
  return array(points[0].id, points[b].id, points[c].id, differenceSupport(pair, normal).id);
}

fn turnedBySixth(at: vec2f) -> vec2f {
  return vec2f(0.5 * at.x - 0.8660254 * at.y, 0.8660254 * at.x + 0.5 * at.y);
}

struct Top {
  normal: vec3f,
  // The least height of B - A along it.
  height: f32,
  iterations: u32,
}

// The best of the normals of faces that EPA did not come to, of both bodies' axes either way, and of their own faces:
// where many faces tie around one axis, what lies along it may be left without a face, and a small hull deep in a round
// shape is nearest the outside along one of its own normals.
fn tryFaces(pair: Pair, shapeA: Shape, shapeB: Shape, start: Top) -> Top {
  var top = start;
  let facesA = min(shapeA.faceCount, REFINE_FACES);
  let firstA = faceCount + 12u;
  let firstB = firstA + facesA;
  for (var f = 0u; f < firstB + min(shapeB.faceCount, REFINE_FACES); f++) {
    var plane = vec4f(axisAt(pair, f - min(f, faceCount)), 0.0);
    if (f < faceCount) {
      plane = planeOf(f);
    } else if (f >= firstA) {
      let isB = f >= firstB;
      let row = select(firstFaceRow(shapeA) + f - firstA, firstFaceRow(shapeB) + f - firstB, isB);
      let normal = geometryVector(row);
      plane = vec4f(select(normal, -(pair.rotation * normal), isB), 0.0);
    }
    if (plane.w <= top.height) {
      continue;
    }
    let found = dot(plane.xyz, differenceSupport(pair, -plane.xyz).position);
    top.iterations += 1u;
    if (found > top.height) {
      top.height = found;
      top.normal = plane.xyz;
    }
  }
  return top;
}

fn firstFaceRow(shape: Shape) -> u32 {
  return shape.firstRow + shape.vertexCount + shape.edgeCount;
}

// A's axes, then B's, each both ways.
fn axisAt(pair: Pair, i: u32) -> vec3f {
  let unit = vec3f(vec3u(0u, 1u, 2u) == vec3u((i >> 1u) % 3u));
  let axis = select(unit, pair.rotation * unit, i >= 6u);
  return select(axis, -axis, (i & 1u) == 1u);
}

// A normal of the greatest least height nearby.
fn climb(pair: Pair, start: Top) -> Top {
  var top = start;
  var reach = CLIMB_START;
  for (var round = 0u; round < CLIMB_ROUNDS && reach > CLIMB_END; round++) {
    let frame = frameOf(top.normal);
    let middle = top.height;
    // Sums of the six heights over the middle: themselves, times cosine and sine, times those of the double angle.
    var sum = 0.0;
    var slope = vec2f(0.0);
    var twice = vec2f(0.0);
    var at = vec2f(1.0, 0.0);
    for (var k = 0u; k < 11u; k++) {
      var offset = at * reach;
      if (k == 6u) {
        offset = topOf(sum, slope, twice, reach);
      }
      var candidate = tilted(frame, offset);
      if (k > 6u) {
        let axis = select(pair.rotation[1], vec3f(0.0, 1.0, 0.0), k < 9u);
        candidate = turned(frame[2], axis, select(-reach, reach, (k & 1u) == 1u));
      }
      let found = dot(candidate, differenceSupport(pair, -candidate).position);
      if (found > top.height) {
        top.height = found;
        top.normal = candidate;
      }
      let rise = found - middle;
      sum += rise;
      slope += at * rise;
      twice += vec2f(at.x * at.x - at.y * at.y, 2.0 * at.x * at.y) * rise;
      at = turnedBySixth(at);
    }
    top.iterations += 11u;
    if (distance(top.normal, frame[2]) < CLIMB_FAR * reach) {
      reach *= CLIMB_SHRINK;
    }
  }
  return top;
}

// A unit vector turned about an axis, whose sine is close enough to be that of the angle.
fn turned(v: vec3f, axis: vec3f, sine: f32) -> vec3f {
  let cosine = sqrt(1.0 - sine * sine);
  return normalize(v * cosine + cross(axis, v) * sine + axis * (dot(v, axis) * (1.0 - cosine)));
}

// Where a parabola through the middle and six heights has its top, or a way up. First and second harmonics of the six
// are its slopes and curvatures, here times the reach and its square.
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
