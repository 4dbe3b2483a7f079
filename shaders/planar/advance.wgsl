// When two turning bodies of the plane meet: conservative advancement, Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), section 2.3: as
// long as the bodies can't have come closer than they are apart, time may go on.
//
// As shaders/advance.wgsl: how long that is follows from supports along the separating normal, which may turn, and from a bound of what turning adds to them; so
// steps near the impact are those of Newton's method. In the plane the signed distance is known of bodies that overlap, too. So there is no going back from
// where rounding has them overlap: those that touch go on until they overlap by twice the slack, or part; only if they overlap by more than the slack then was the touch
// an impact. And which way the normal turns best is known: with the edge that the other body is over, or with the line through two corners.
//
// Steps: the signed distance at this time; note whether they touch; the longest step after which they can't be closer than touching, or overlap by more than
// twice the slack.

import package::shared::constants::{ADVANCE_MAX_HALVINGS, ADVANCE_MAX_ITERATIONS, ADVANCE_TANGENTS};
import package::shared::math::{EPSILON};
import package::shared::results::{FEATURE_EDGE};
import package::planar::facing::{facing};
import package::planar::feature::{feature};
import package::planar::impact::{standTouch, touchPoint, PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, PLANAR_IMPACT_OPEN};
import package::planar::math::{leftOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair, toWorld};
import package::planar::queries::answer::{Answer, signedDistance, PLANAR_RUNG_SAT};
import package::planar::queries::impacts::motion::{PlanarMotion, pairAt, slackOf};
import package::planar::queries::units::{acceptedGap, PLANAR_UNBOUNDED};
import package::planar::shapes::{PlanarShape, PlanarPose, PlanarCore};
import package::planar::support::{corner, support};

struct Advance {
  // One of the PLANAR_IMPACT_ states.
  state: u32,
  iterations: u32,
  // Of impact, or a bound.
  time: f32,
  // The bodies as they are then; normal and point are in A's frame.
  pair: PlanarPair,
  normal: vec2f,
  point: vec2f,
}

// Radii of cores are enlarged by this: their rounding.
const PLANAR_RADIUS_ULPS: f32 = 8.0;

// From `begin` on, seconds after the motion began. `margin` as in `PlanarMotion`.
fn advance(shapeA: PlanarShape, poseA: PlanarPose, shapeB: PlanarShape, poseB: PlanarPose, motion: PlanarMotion, begin: f32) -> Advance {
  let enlarged = 1.0 + PLANAR_RADIUS_ULPS * EPSILON;
  let reachA = (shapeA.boundingRadius * enlarged - shapeA.radius) * poseA.scale;
  let reachB = (shapeB.boundingRadius * enlarged - shapeB.radius) * poseB.scale;
  let slack = slackOf();
  let accepted = 0.5 * acceptedGap();
  var result: Advance;
  result.state = PLANAR_IMPACT_OPEN;
  result.time = begin;
  // The last time at which they touched, if they have since they were apart, and along which normal; and the last at which they were apart.
  var isTouching = false;
  var touchTime = begin;
  var touchNormal = vec2f(0.0);
  var apartTime = begin;
  var halvings = 0u;
  // What is left is to see the bodies as they touch.
  var isMet = false;
  for (var i = 0u; i < ADVANCE_MAX_ITERATIONS; i++) {
    let pair = pairAt(shapeA, poseA, shapeB, poseB, motion, result.time);
    let margin = motion.margin / pair.unit;
    let stand = signedDistance(pair, PLANAR_UNBOUNDED, PLANAR_RUNG_SAT, 0u);
    let room = stand.lower - margin;
    let normal = toWorld(pair, stand.normal);
    result.iterations += stand.iterations;
    result.pair = pair;
    result.normal = stand.normal;
    if (isMet) {
      result.state = PLANAR_IMPACT_MET;
      result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin);
      result.normal = turnedFacing(pair, motion, stand, margin, slack, result.point);
      break;
    }
    // Of cores without an inside that come through each other the normal changes sides.
    let isThrough = isTouching && room <= 3.0 * slack && dot(normal, touchNormal) < 0.0;
    if (room < -slack || isThrough) {
      let halfTime = 0.5 * (apartTime + result.time);
      isMet = true;
      if (isTouching) {
        result.time = touchTime;
      } else if (halvings < ADVANCE_MAX_HALVINGS && halfTime > apartTime && halfTime < result.time) {
        // A step that rounding made too long.
        halvings += 1u;
        result.time = halfTime;
        isMet = false;
      } else {
        result.time = apartTime;
      }
      continue;
    }
    isTouching = room <= accepted;
    if (isTouching) {
      touchTime = result.time;
      touchNormal = normal;
    } else {
      apartTime = result.time;
    }
    let most = motion.duration - result.time;
    let reach = pair.radiusA + pair.radiusB + margin - select(0.0, 2.0 * slack, isTouching);
    let step = longestStep(pair, motion, stand, reachA, reachB, reach, most);
    if (step >= most) {
      result.state = PLANAR_IMPACT_NONE;
      break;
    }
    if (!(step > 0.0)) {
      // Numbers too large for a bound.
      break;
    }
    // As near as time can be told.
    isMet = result.time + step == result.time;
    result.time += step;
  }
  return result;
}

// The longer of the steps that are safe along the normal as it stands, and as it turns with what gave it.
fn longestStep(pair: PlanarPair, motion: PlanarMotion, stand: Answer, reachA: f32, reachB: f32, reach: f32, most: f32) -> f32 {
  let turn = normalSpin(pair, motion, stand);
  var longest = 0.0;
  for (var i = 0u; i < 2u; i++) {
    if (longest < most && (i == 0u || turn != 0.0)) {
      longest = max(longest, safeStep(pair, motion, stand.normal, select(turn, 0.0, i == 0u), reachA, reachB, reach, most));
    }
  }
  return longest;
}

// How the normal of the nearest points turns: with the edge that one of them is on, otherwise with the line through both.
fn normalSpin(pair: PlanarPair, motion: PlanarMotion, stand: Answer) -> f32 {
  if ((feature(pair.coreA, stand.normal, stand.corners.x) & FEATURE_EDGE) != 0u) {
    return motion.spinA;
  }
  if ((feature(pair.coreB, rotateBack(pair.rotation, -stand.normal), stand.corners.y) & FEATURE_EDGE) != 0u) {
    return motion.spinB;
  }
  let between = dot(stand.onB - stand.onA, stand.normal);
  if (between <= 0.0) {
    return 0.0;
  }
  return dot(leftOf(stand.normal), approachAt(pair, motion, stand.onA, stand.onB)) / between;
}

// B's velocity at a point of it, minus A's at a point of that, in A's frame and the pair's unit.
fn approachAt(pair: PlanarPair, motion: PlanarMotion, onA: vec2f, onB: vec2f) -> vec2f {
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  return velocity + leftOf(onB - pair.translation) * motion.spinB - leftOf(onA) * motion.spinA;
}

// Seconds, up to `most`, in which the cores can't come within `reach` of each other along the normal, which is in A's frame, separates them by that now and
// turns by `spin`.
//
// Seen from A's origin in a frame that turns with the normal n, a point r of a body that turns by `own` there is at the height |r| cos(own t + ..) along n, whose
// second derivative is at most own^2 |r|; B's origin d away and moving by v moves by n . (v - spin x d), and faster by at most |spin| (2 |v| + |spin| |d|) each second.
// So the least of all heights some time later is no less than that of a support, along a direction that leans with the time, less half of these times
// the time squared: concave in time. Its tangents come to its root from beyond; the chord to where the last of them ends stays before it.
fn safeStep(pair: PlanarPair, motion: PlanarMotion, normal: vec2f, spin: f32, reachA: f32, reachB: f32, reach: f32, most: f32) -> f32 {
  let ownA = motion.spinA - spin;
  let ownB = motion.spinB - spin;
  // A point r gets higher by own (n . left of r) = r . (right of n) own each second.
  let swingA = -leftOf(normal) * ownA;
  let swingB = -leftOf(normal) * ownB;
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  let far = max(length(pair.translation), length(pair.translation + velocity * most));
  let bend = 0.5 * ((ownA * ownA * reachA + ownB * ownB * reachB) / pair.unit + abs(spin) * (2.0 * length(velocity) + abs(spin) * far));
  let drift = dot(normal, velocity - leftOf(pair.translation) * spin);
  let middle = dot(normal, pair.translation) - reach;
  var step = 0.0;
  var room = 0.0;
  for (var i = 0u; i <= ADVANCE_TANGENTS; i++) {
    let directionA = normal + swingA * step;
    let directionB = normal + swingB * step;
    let onA = farthestPoint(pair.coreA, directionA);
    let onB = rotate(pair.rotation, farthestPoint(pair.coreB, -rotateBack(pair.rotation, directionB)));
    let height = middle + dot(directionB, onB) - dot(directionA, onA) + (drift - bend * step) * step;
    if (i == 0u) {
      room = height;
      step = most;
      continue;
    }
    if (height >= 0.0) {
      return step;
    }
    if (i == ADVANCE_TANGENTS) {
      return step * max(room, 0.0) / (max(room, 0.0) - height);
    }
    // The tangent's own root, with the same bend.
    let tangent = middle + dot(normal, onB) - dot(normal, onA);
    step = positiveRoot(tangent, drift + dot(swingB, onB) - dot(swingA, onA), bend);
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

// The normal along which turning bodies meet, by how fast their points do.
fn turnedFacing(pair: PlanarPair, motion: PlanarMotion, stand: Answer, margin: f32, slack: f32, point: vec2f) -> vec2f {
  let velocity = approachAt(pair, motion, point, point);
  let speed = length(velocity);
  if (speed == 0.0) {
    return stand.normal;
  }
  return facing(pair, velocity / speed, pair.radiusA + pair.radiusB + margin, slack, standTouch(pair, stand), true).normal;
}
