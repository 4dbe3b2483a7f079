// For how long bodies that translate and rotate stay farther apart than the target distance, at least.
//
// The bound is taken along a normal that separates them now. The normal may rotate meanwhile; any rotation gives a safe
// step, and the nearer the rotation is to that of the true separating normal, the longer is the step.

import package::shared::constants::{ADVANCE_LEAST_CROSSING, ADVANCE_TANGENTS};
import package::shared::geometry::{HAS_PARTS};
import package::shared::pair::{HAS_MIDDLES, Pair, toWorld, worldRotation};
import package::shared::shapes::{Core, CORE_SEGMENT, CORE_HALFSPACE, CORE_CYLINDER, CORE_CONE, CORE_ELLIPSOID};
import package::shared::support::{support, vertex, vertexA, vertexB};
import package::queries::impacts::motion::{Motion};
import package::simplex::{Simplex};

// The longest of the steps that are safe along a normal that doesn't rotate, that rotates with A, that rotates with B,
// or that rotates by the angular velocity `turn`, if that is not zero. A half-space's normal rotates with it.
fn longestStep(
  pair: Pair, motion: Motion, offset: vec3f, normal: vec3f, turn: vec3f, extentA: f32, extentB: f32,
  targetDistance: f32,
  most: f32
) -> f32 {
  let isHalfspaceA = pair.coreA.kind == CORE_HALFSPACE;
  let isHalfspaceB = pair.coreB.kind == CORE_HALFSPACE;
  var longest = 0.0;
  for (var i = 0u; i < 4u; i++) {
    let normalTurn = select(
      select(select(turn, motion.angularVelocityB, i == 2u), motion.angularVelocityA, i == 1u), vec3f(0.0), i == 0u
    );
    let isItsNormal = (isHalfspaceA && i == 1u) || (isHalfspaceB && i == 2u);
    if (longest < most && select(i == 0u || any(normalTurn != vec3f(0.0)), isItsNormal, isHalfspaceA || isHalfspaceB)) {
      longest = max(
        longest, safeStep(pair, motion, offset, normal, normalTurn, extentA, extentB, targetDistance, most)
      );
    }
  }
  return longest;
}

// The angular velocity of the normal between two edges, from the simplex that holds their nearest points. Zero if the
// nearest points are not both on edges.
//
// The normal's derivative n' is perpendicular to n. It keeps n perpendicular to either edge e, which its body's angular
// velocity w rotates: n' . e = -n . (w x e).
fn edgeTurn(pair: Pair, motion: Motion, s: Simplex, n: vec3f) -> vec3f {
  if (s.count != 3u) {
    return vec3f(0.0);
  }
  let ids = array(s.a.id, s.b.id, s.c.id);
  var onA: array<vec3f, 3>;
  var onB: array<vec3f, 3>;
  for (var i = 0u; i < 3u; i++) {
    onA[i] = vertexA(pair, ids[i]);
    onB[i] = vertexB(pair, ids[i]);
  }
  let edgeA = toWorld(pair, edgeOf(onA[0], onA[1], onA[2]));
  let edgeB = toWorld(pair, edgeOf(onB[0], onB[1], onB[2]));
  let across = dot(n, cross(edgeA, edgeB));
  if (abs(across) <= ADVANCE_LEAST_CROSSING * length(edgeA) * length(edgeB)) {
    return vec3f(0.0);
  }
  let byA = cross(n, edgeB) * dot(n, cross(motion.angularVelocityA, edgeA));
  let byB = cross(edgeA, n) * dot(n, cross(motion.angularVelocityB, edgeB));
  let change = (byA + byB) / across;
  return cross(n, change);
}

// The vector between three points of which two coincide. Zero if all three coincide, or none.
fn edgeOf(a: vec3f, b: vec3f, c: vec3f) -> vec3f {
  if (all(a == b) || all(b == c)) {
    return c - a;
  }
  return select(vec3f(0.0), b - a, all(a == c));
}

// Seconds, up to `most`, during which the bodies can't come within the target distance along the normal. The normal is
// in A's frame, separates them now, and rotates by the angular velocity `turn`. `offset` is B's position minus A's now.
//
// In a frame at A's origin that rotates with the normal n, a point r of a body has a speed of r . (n x own) along n,
// where own is the body's angular velocity in that frame, and an acceleration of at most |r| times the `bend` of that.
// B's origin, at d and with velocity v, has a speed of n . (v - turn x d), and an acceleration of at most |n x turn| (2
// |v| + |turn| |d|). So after a time t, the least height of all points is at least that of a support along a direction
// that leans with t, less half of these bounds times t squared. This is concave in t. Its tangents approach its root
// from beyond; the chord to the end of the last tangent stays before the root.
fn safeStep(
  pair: Pair, motion: Motion, offset: vec3f, normal: vec3f, turn: vec3f, extentA: f32, extentB: f32,
  targetDistance: f32,
  most: f32
) -> f32 {
  let rotationA = worldRotation(pair);
  let direction = rotationA * normal;
  // Parts of compounds may rotate about an axis beside their own.
  let axisA = rotationA * axisOfRevolution(pair.coreA) * f32(!HAS_PARTS || all(pair.middleA == vec3f(0.0)));
  let axisB = rotationA * (pair.rotation * axisOfRevolution(pair.coreB)) *
      f32(!HAS_PARTS || all(pair.middleB == vec3f(0.0)));
  let turnA = turnOf(axisA, motion.angularVelocityA, direction, turn);
  let turnB = turnOf(axisB, motion.angularVelocityB, direction, turn);
  let swingA = cross(direction, turnA.own) * rotationA;
  let swingB = cross(direction, turnB.own) * rotationA;
  let far = max(length(offset), length(offset + motion.velocity * most));
  let bend = 0.5 / pair.unit * (
    turnA.bend * extentA + turnB.bend * extentB +
    length(cross(direction, turn)) * (2.0 * length(motion.velocity) + length(turn) * far)
  );
  var drift = dot(direction, motion.velocity - cross(turn, offset)) / pair.unit;
  if (HAS_MIDDLES) {
    // Points are relative to the middles, which move with their bodies.
    drift += dot(swingB, pair.middleB) - dot(swingA, pair.middleA);
  }
  let middle = dot(normal, pair.translation) - targetDistance;
  var step = 0.0;
  var separation = 0.0;
  for (var i = 0u; i <= ADVANCE_TANGENTS; i++) {
    let directionA = normal + swingA * step;
    let directionB = normal + swingB * step;
    // A's side, then B's, in a loop: compilers inline every call.
    var onA = vec3f(0.0);
    var onB = vec3f(0.0);
    var core = pair.coreA;
    var inBody = directionA;
    for (var side = 0u; side < 2u; side++) {
      let point = farthestPoint(core, inBody);
      if (side == 0u) {
        onA = point;
      } else {
        onB = pair.rotation * point;
      }
      core = pair.coreB;
      inBody = -(directionB * pair.rotation);
    }
    let height = middle + dot(directionB, onB) - dot(directionA, onA) + (drift - bend * step) * step;
    if (i == 0u) {
      separation = height;
      step = most;
      continue;
    }
    if (height >= 0.0) {
      return step;
    }
    if (i == ADVANCE_TANGENTS) {
      return step * separation / (separation - height);
    }
    // The tangent's own root, with the same bend.
    let tangent = middle + dot(normal, onB) - dot(normal, onA);
    step = positiveRoot(tangent, drift + dot(swingB, onB) - dot(swingA, onA), bend);
  }
  return 0.0;
}

// A body's angular velocity in a frame that rotates with a normal, and a bound of the acceleration along the normal of
// its points, per length of these.
struct Turn {
  own: vec3f,
  bend: f32,
}

// With w = `angularVelocity`, s = `turn` and own = w - s, the acceleration of a point r along the normal n is
// (s x n) . (own x r) + (n x own) . (w x r). If n doesn't rotate, neither does n x own. A solid of revolution looks the
// same if it rotates only by the part p of w across its axis. That part rotates with the axis, by the part q of w along
// it. So the acceleration of points of the solid is at most p (p + q). The lesser bound is taken.
fn turnOf(axis: vec3f, angularVelocity: vec3f, normal: vec3f, turn: vec3f) -> Turn {
  let own = angularVelocity - turn;
  if (any(turn != vec3f(0.0))) {
    return Turn(own, length(own) * (length(angularVelocity) + length(cross(turn, normal))));
  }
  let steady = Turn(own, length(cross(normal, own)) * length(own));
  let p = length(cross(own, axis));
  let bend = p * (p + abs(dot(own, axis)));
  if (any(axis != vec3f(0.0)) && bend < steady.bend) {
    return Turn(own - axis * dot(own, axis), bend);
  }
  return steady;
}

// The axis of a core of revolution, a unit vector in its body's frame. Zero for other cores.
fn axisOfRevolution(core: Core) -> vec3f {
  let half = core.halfExtents;
  if (core.kind == CORE_SEGMENT || core.kind == CORE_CYLINDER || core.kind == CORE_CONE ||
      (core.kind == CORE_ELLIPSOID && half.x == half.z)) {
    return vec3f(0.0, 1.0, 0.0);
  }
  if (core.kind == CORE_ELLIPSOID && half.y == half.z) {
    return vec3f(1.0, 0.0, 0.0);
  }
  return select(vec3f(0.0), vec3f(0.0, 0.0, 1.0), core.kind == CORE_ELLIPSOID && half.x == half.y);
}

// The point of a core that is farthest along a direction in its body's frame. For a half-space the origin, as its
// offset is in the pair's radius.
fn farthestPoint(core: Core, direction: vec3f) -> vec3f {
  if (core.kind == CORE_HALFSPACE) {
    return vec3f(0.0);
  }
  return vertex(core, support(core, direction));
}

// The root of height + slope x - bend x^2, height and bend at least 0.
fn positiveRoot(height: f32, slope: f32, bend: f32) -> f32 {
  let root = sqrt(slope * slope + 4.0 * bend * max(height, 0.0));
  if (slope >= 0.0) {
    return (slope + root) / max(2.0 * bend, 1e-30);
  }
  return 2.0 * max(height, 0.0) / (root - slope);
}
