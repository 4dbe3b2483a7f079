// For how long bodies in 2-D that translate and rotate stay farther apart than the target distance, at least.
//
// As shaders/safe-step.wgsl, with a bound of accelerations that is 0 for near points in 2-D: so bodies that rotate
// about a point where they touch are not held up by it.

import package::shared::constants::{ADVANCE_TANGENTS};
import package::shared::results::{FEATURE_EDGE};
import package::planar::feature::{feature};
import package::planar::math::{leftOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair};
import package::planar::queries::signed-distance::{Answer};
import package::planar::queries::impacts::motion::{PlanarMotion, relativeVelocity};
import package::planar::shapes::{PlanarCore};
import package::planar::support::{corner, support};

// A little less than a quarter of a turn, in radians.
const PLANAR_QUARTER_TURN: f32 = 1.57;

struct SafeStep {
  seconds: f32,
  // Angular velocity of the normal meanwhile.
  turn: f32,
}

// The longest of the steps that are safe along a normal that doesn't rotate, and that rotates with what gave it.
fn longestStep(
  pair: PlanarPair, motion: PlanarMotion, stand: Answer, isTouching: bool, targetDistance: f32, most: f32
) -> SafeStep {
  let turns = normalTurns(pair, motion, stand);
  var longest = SafeStep(0.0, 0.0);
  for (var i = 0u; i < select(3u, 6u, isTouching); i++) {
    let lift = select(0.0, 1.0, i < 3u);
    let turn = turns[i % 3u];
    if (longest.seconds < most && (i % 3u == 0u || turn != 0.0)) {
      let step = safeStep(pair, motion, stand.normal, turn, lift, targetDistance, most);
      if (step > longest.seconds) {
        longest = SafeStep(step, turn);
      }
    }
  }
  return longest;
}

// How the normal of the nearest points may rotate: not; with the edge of A, and with the edge of B, that one of the
// points is on; or, if neither is on an edge, with the line through both points. 0 stands for no rotation. Short edges
// count as edges, although the other body's edge matters then.
fn normalTurns(pair: PlanarPair, motion: PlanarMotion, stand: Answer) -> vec3f {
  let isOnA = (feature(pair.coreA, stand.normal, stand.corners.x) & FEATURE_EDGE) != 0u;
  let isOnB = (feature(pair.coreB, rotateBack(pair.rotation, -stand.normal), stand.corners.y) & FEATURE_EDGE) != 0u;
  let between = dot(stand.onB - stand.onA, stand.normal);
  var onLine = 0.0;
  if (!isOnA && !isOnB && between > 0.0) {
    onLine = dot(leftOf(stand.normal), relativeVelocity(pair, motion, stand.onA, stand.onB)) / between;
  }
  return vec3f(0.0, select(onLine, motion.angularVelocityA, isOnA), select(0.0, motion.angularVelocityB, isOnB));
}

// Seconds, up to `most`, during which the cores can't come within the target distance along the normal. The normal is
// in A's frame, separates them by that now, and rotates by the angular velocity `turn`.
//
// In a frame that rotates with the normal n, let a body's angular velocity be `own`. A point r of it is at the height g
// = n . r cos(own t) + ... over the body's origin, with an acceleration of -own^2 g. So a point that is now below the
// origin, seen from the other body, stays above its tangent while it is below. A point that is now above the origin
// stays above 0, less what its tangent falls by, for a quarter of a turn. The same is true of heights over any other
// point of the body, at most as low as the body extends; only that point's own height differs: its acceleration is at
// most own^2 times its height above the origin. With `lift`, that point is as far above the lowest one as the body
// extends to its sides: then points that fall there don't hold up near ones. Without, bodies may rotate about where
// they touch. B's origin, at d from A's and with velocity v, has a speed of n . (v - turn x d), and an acceleration of
// at most |turn| (2 |v| + |turn| |d|).
//
// So the least of all heights is at least that of a support along a direction that leans with time, or that of what
// falls on the bodies' sides, less a square of the time. This is concave in time. Its tangents approach its root from
// beyond; the chord to the end of the last tangent stays before the root.
fn safeStep(
  pair: PlanarPair, motion: PlanarMotion, normal: vec2f, turn: f32, lift: f32, targetDistance: f32, most: f32
) -> f32 {
  let ownA = motion.angularVelocityA - turn;
  let ownB = motion.angularVelocityB - turn;
  // A point r has a speed of own (n . left of r) = r . (right of n) own along n.
  let swingA = -leftOf(normal) * ownA;
  let swingB = -leftOf(normal) * ownB;
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  // From A's origin to B's: bodies turn about these, and points count from them.
  let offset = pair.translation + pair.middleA - pair.middleB;
  let far = max(length(offset), length(offset + velocity * most));
  let drift = dot(normal, velocity - leftOf(offset) * turn);
  let middle = dot(normal, offset) - targetDistance;
  // The speed at which the sides fall.
  var fallA = 0.0;
  var fallB = 0.0;
  var bend = 0.0;
  var aboveA = 0.0;
  var aboveB = 0.0;
  var step = 0.0;
  var separation = 0.0;
  // The sides, the lowest points, and then the points that each tangent leans on.
  for (var i = 0u; i <= ADVANCE_TANGENTS + 1u; i++) {
    let downA = select(normal + swingA * step, swingA, i == 0u && ownA != 0.0);
    let downB = select(normal + swingB * step, swingB, i == 0u && ownB != 0.0);
    let onA = farthestPoint(pair.coreA, downA) + pair.middleA;
    let onB = rotate(pair.rotation, farthestPoint(pair.coreB, -rotateBack(pair.rotation, downB))) + pair.middleB;
    if (i == 0u) {
      fallA = max(dot(swingA, onA), 0.0);
      fallB = max(-dot(swingB, onB), 0.0);
      continue;
    }
    var lowA = -dot(normal, onA);
    var lowB = dot(normal, onB);
    if (i == 1u) {
      aboveA = max(lowA + lift * fallA / max(abs(ownA), 1e-30), 0.0);
      aboveB = max(lowB + lift * fallB / max(abs(ownB), 1e-30), 0.0);
      bend = 0.5 *
          (ownA * ownA * aboveA + ownB * ownB * aboveB + abs(turn) * (2.0 * length(velocity) + abs(turn) * far));
      separation = max(middle + lowA + lowB, 0.0);
      step = min(most, PLANAR_QUARTER_TURN / max(max(abs(ownA), abs(ownB)), 1e-30));
      continue;
    }
    var rateA = -dot(swingA, onA);
    var rateB = dot(swingB, onB);
    if (aboveA - fallA * step < lowA + rateA * step) {
      lowA = aboveA;
      rateA = -fallA;
    }
    if (aboveB - fallB * step < lowB + rateB * step) {
      lowB = aboveB;
      rateB = -fallB;
    }
    let start = middle + lowA + lowB;
    let rate = drift + rateA + rateB;
    let height = start + (rate - bend * step) * step;
    if (height >= 0.0) {
      return step;
    }
    if (i == ADVANCE_TANGENTS + 1u) {
      return step * separation / (separation - height);
    }
    // The tangent's own root, with the same bend.
    step = min(step, positiveRoot(start, rate, bend));
  }
  return 0.0;
}

// The point of a core that is farthest along a direction in its body's frame.
fn farthestPoint(core: PlanarCore, direction: vec2f) -> vec2f {
  return corner(core, support(core, direction)).position;
}

// The root of height + slope x - bend x^2, height and bend at least 0.
fn positiveRoot(height: f32, slope: f32, bend: f32) -> f32 {
  let root = sqrt(slope * slope + 4.0 * bend * max(height, 0.0));
  if (slope >= 0.0) {
    return (slope + root) / max(2.0 * bend, 1e-30);
  }
  return 2.0 * max(height, 0.0) / (root - slope);
}
