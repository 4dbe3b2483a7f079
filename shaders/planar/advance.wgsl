// When two turning bodies of the plane meet: conservative advancement, Mirtich, "Impulse-based Dynamic Simulation of
// Rigid Body Systems" (1996), section 2.3: as long as the bodies can't have come closer than they are apart, time may
// go on.
//
// As shaders/advance.wgsl: how long that is follows from supports along the separating normal, which may turn, and from
// a bound of what turning adds to them, which in the plane is nothing for what is near; so steps near the impact are
// those of Newton's method, and bodies that turn about a point where they touch don't hold it up. In the plane the
// signed distance is known of bodies that overlap, too. So there is no going back from where rounding has them overlap:
// those that touch go on until they overlap by most of the slack, or part; only if they overlap by more than half of it
// then was the touch an impact, so that the next body in a line is no deeper than the slack. And which way the normal
// turns best is known: with the edge that the other body is over, or with the line through two corners.
//
// Steps: the signed distance at this time; note whether they touch; the longest step after which they can't be closer
// than touching, or overlap by more than twice the slack.

import package::shared::constants::{
  ADVANCE_LEAVE_MOTION, ADVANCE_LEAVE_SHARE, ADVANCE_STEEP, ADVANCE_TANGENTS, MOTION_OPPOSITE, PLANAR_ADVANCE_MAX_ITERATIONS,
  UNBOUNDED
};
import package::shared::math::{cosineAndSine};
import package::shared::results::{FEATURE_EDGE};
import package::planar::facing::{Facing, facing};
import package::planar::feature::{feature};
import package::planar::impact::{standTouch, touchPoint, PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, PLANAR_IMPACT_OPEN};
import package::planar::math::{leftOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair, toWorld};
import package::planar::queries::signed-distance::{Answer, signedDistance, PLANAR_RUNG_SAT};
import package::planar::queries::impacts::motion::{PlanarMotion, pairAt, slackOf};
import package::planar::shapes::{KnownShape, PlanarPose, PlanarCore};
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

// Parts of the slack: what bodies may overlap by in passing, and how much more they are let go on for.
const PLANAR_ADVANCE_LEAST_OVERLAP: f32 = 0.5;
const PLANAR_ADVANCE_OVERLAP_STEP: f32 = 0.25;
// Radians: a little less.
const PLANAR_QUARTER_TURN: f32 = 1.57;

// From time 0 on. `size`: the sum of the bounding radii. `isLeaving`: the bodies overlap and part; an impact is looked
// for from when they are apart.
fn advance(
  shapeA: KnownShape, poseA: PlanarPose, shapeB: KnownShape, poseB: PlanarPose, motion: PlanarMotion, size: f32,
  isLeaving: bool
) -> Advance {
  var leaves = isLeaving;
  var result: Advance;
  result.state = PLANAR_IMPACT_OPEN;
  // The last time at which they touched, if they have since they were apart, and the last at which they were apart.
  var isTouching = false;
  var touchTime = 0.0;
  // The normal of the last step, as it has turned.
  var known = vec2f(0.0);
  // That of where they were last apart.
  var came = vec2f(0.0);
  var apartTime = 0.0;
  // Overlap beyond which a touch was an impact, in slacks: more of those that overlap to begin with.
  var most = PLANAR_ADVANCE_LEAST_OVERLAP;
  // What is left is to see the bodies as they touch.
  var isMet = false;
  for (var i = 0u; i < PLANAR_ADVANCE_MAX_ITERATIONS; i++) {
    let pair = pairAt(shapeA, poseA, shapeB, poseB, motion, result.time);
    let margin = motion.margin / pair.unit;
    let slack = slackOf(size / pair.unit);
    let stand = signedDistance(pair, UNBOUNDED, PLANAR_RUNG_SAT, 0u);
    let room = stand.lower - margin;
    let normal = toWorld(pair, stand.normal);
    result.iterations += stand.iterations;
    result.pair = pair;
    result.normal = stand.normal;
    if (leaves && room <= slack) {
      if (result.time >= motion.duration) {
        result.state = PLANAR_IMPACT_NONE;
        break;
      }
      let skip = max(ADVANCE_LEAVE_MOTION * size / fastest(motion, size), ADVANCE_LEAVE_SHARE * motion.duration);
      result.time = min(result.time + skip, motion.duration);
      continue;
    }
    leaves = false;
    if (isMet || (!isTouching && abs(room) <= slack)) {
      result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin);
      let face = turnedFacing(pair, motion, stand, came, margin, slack, result.point);
      result.normal = face.normal;
      if (isMet) {
        result.state = PLANAR_IMPACT_MET;
        break;
      }
      if (face.closing * pair.unit > ADVANCE_STEEP * fastest(motion, size)) {
        // They meet, after what is left of the gap.
        result.time = min(result.time + max(room, 0.0) / face.closing, motion.duration);
        isMet = true;
        continue;
      }
    }
    if (i == 0u) {
      most = clamp(PLANAR_ADVANCE_OVERLAP_STEP - room / slack, PLANAR_ADVANCE_LEAST_OVERLAP, 1.0);
    }
    // Of cores without an inside that come through each other the normal changes sides.
    let isThrough = isTouching && room <= 3.0 * slack && dot(normal, known) < MOTION_OPPOSITE;
    if (room < -most * slack || isThrough) {
      let halfTime = 0.5 * (apartTime + result.time);
      isMet = true;
      if (isTouching) {
        result.time = touchTime;
      } else if (halfTime > apartTime && halfTime < result.time) {
        // A step that rounding made too long.
        result.time = halfTime;
        isMet = false;
      } else {
        result.time = apartTime;
      }
      continue;
    }
    isTouching = room <= slack;
    if (isTouching) {
      touchTime = result.time;
    } else {
      apartTime = result.time;
      came = normal;
    }
    let left = motion.duration - result.time;
    let reach = pair.radiusA + pair.radiusB + margin - select(0.0, (most + PLANAR_ADVANCE_OVERLAP_STEP) * slack, isTouching);
    let longest = longestStep(pair, motion, stand, isTouching, reach, left);
    let step = longest.seconds;
    if (step >= left) {
      result.state = PLANAR_IMPACT_NONE;
      break;
    }
    if (!(step > 0.0)) {
      // Numbers too large for a bound.
      break;
    }
    // As near as time can be told.
    isMet = result.time + step == result.time;
    known = rotate(cosineAndSine(longest.spin * step), normal);
    result.time += step;
  }
  return result;
}

// What no points of the bodies move faster by against each other.
fn fastest(motion: PlanarMotion, size: f32) -> f32 {
  return length(motion.velocity) + (abs(motion.spinA) + abs(motion.spinB)) * size;
}

struct SafeStep {
  seconds: f32,
  // How the normal turns meanwhile.
  spin: f32,
}

// The longest of the steps that are safe along the normal as it stands, and as it turns with what gave it.
fn longestStep(pair: PlanarPair, motion: PlanarMotion, stand: Answer, isTouching: bool, reach: f32, most: f32) -> SafeStep {
  let turns = normalSpins(pair, motion, stand);
  var longest = SafeStep(0.0, 0.0);
  for (var i = 0u; i < select(3u, 6u, isTouching); i++) {
    let lift = select(0.0, 1.0, i < 3u);
    let spin = turns[i % 3u];
    if (longest.seconds < most && (i % 3u == 0u || spin != 0.0)) {
      let step = safeStep(pair, motion, stand.normal, spin, lift, reach, most);
      if (step > longest.seconds) {
        longest = SafeStep(step, spin);
      }
    }
  }
  return longest;
}

// How the normal of the nearest points may turn: not; with the edge of A and with that of B that one of them is on, or
// if there is neither with the line through both. 0: as before. Short edges are edges, too, and yet the other body's is
// what matters.
fn normalSpins(pair: PlanarPair, motion: PlanarMotion, stand: Answer) -> vec3f {
  let isOnA = (feature(pair.coreA, stand.normal, stand.corners.x) & FEATURE_EDGE) != 0u;
  let isOnB = (feature(pair.coreB, rotateBack(pair.rotation, -stand.normal), stand.corners.y) & FEATURE_EDGE) != 0u;
  let between = dot(stand.onB - stand.onA, stand.normal);
  var onLine = 0.0;
  if (!isOnA && !isOnB && between > 0.0) {
    onLine = dot(leftOf(stand.normal), approachAt(pair, motion, stand.onA, stand.onB)) / between;
  }
  return vec3f(0.0, select(onLine, motion.spinA, isOnA), select(0.0, motion.spinB, isOnB));
}

// B's velocity at a point of it, minus A's at a point of that, in A's frame and the pair's unit.
fn approachAt(pair: PlanarPair, motion: PlanarMotion, onA: vec2f, onB: vec2f) -> vec2f {
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  return velocity + leftOf(onB - pair.translation) * motion.spinB - leftOf(onA) * motion.spinA;
}

// Seconds, up to `most`, in which the cores can't come within `reach` of each other along the normal, which is in A's
// frame, separates them by that now and turns by `spin`.
//
// Seen in a frame that turns with the normal n, a point r of a body that turns by `own` there is at the height g = n .
// r cos(own t) + .. over the body's origin, which gets faster by -own^2 g each second. So what is below the origin now,
// as seen from the other body, is above its tangent for as long as it is below; and what is above it now is above 0,
// less what its tangent falls by, for a quarter of a turn. The same goes for heights over any other point of the body,
// at most as low as it reaches, of which only that point's own height is different: it gets faster by at most own^2
// times how far that is above the origin. With `lift` that point is as far above the lowest as the body reaches to its
// sides: what is near is not held up by what falls there. Without, bodies may turn about where they touch. B's origin,
// d away from A's and moving by v, moves by n . (v - spin x d), and faster by at most |spin| (2 |v| + |spin| |d|) each
// second.
//
// So the least of all heights is no less than that of a support along a direction that leans with the time, or than
// what falls on the bodies' sides, less a square of the time: concave in time. Its tangents come to its root from
// beyond; the chord to where the last of them ends stays before it.
fn safeStep(pair: PlanarPair, motion: PlanarMotion, normal: vec2f, spin: f32, lift: f32, reach: f32, most: f32) -> f32 {
  let ownA = motion.spinA - spin;
  let ownB = motion.spinB - spin;
  // A point r gets higher by own (n . left of r) = r . (right of n) own each second.
  let swingA = -leftOf(normal) * ownA;
  let swingB = -leftOf(normal) * ownB;
  // How fast the sides fall.
  let fallA = max(dot(swingA, farthestPoint(pair.coreA, select(swingA, normal, ownA == 0.0))), 0.0);
  let sideB = farthestPoint(pair.coreB, -rotateBack(pair.rotation, select(swingB, normal, ownB == 0.0)));
  let fallB = max(-dot(swingB, rotate(pair.rotation, sideB)), 0.0);
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  let far = max(length(pair.translation), length(pair.translation + velocity * most));
  let drift = dot(normal, velocity - leftOf(pair.translation) * spin);
  let middle = dot(normal, pair.translation) - reach;
  var bend = 0.0;
  var aboveA = 0.0;
  var aboveB = 0.0;
  var step = 0.0;
  var room = 0.0;
  for (var i = 0u; i <= ADVANCE_TANGENTS; i++) {
    let onA = farthestPoint(pair.coreA, normal + swingA * step);
    let onB = rotate(pair.rotation, farthestPoint(pair.coreB, -rotateBack(pair.rotation, normal + swingB * step)));
    var lowA = -dot(normal, onA);
    var lowB = dot(normal, onB);
    if (i == 0u) {
      aboveA = max(lowA + lift * fallA / max(abs(ownA), 1e-30), 0.0);
      aboveB = max(lowB + lift * fallB / max(abs(ownB), 1e-30), 0.0);
      bend = 0.5 * (ownA * ownA * aboveA + ownB * ownB * aboveB + abs(spin) * (2.0 * length(velocity) + abs(spin) * far));
      room = max(middle + lowA + lowB, 0.0);
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
    if (i == ADVANCE_TANGENTS) {
      return step * room / (room - height);
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

// The normal along which turning bodies meet, by how fast their points do, and how fast they close in along it, in
// units of the pair. `came`: that of where they were last apart, in the world, or zero.
fn turnedFacing(pair: PlanarPair, motion: PlanarMotion, stand: Answer, came: vec2f, margin: f32, slack: f32, point: vec2f) -> Facing {
  let velocity = approachAt(pair, motion, point, point);
  let speed = length(velocity);
  if (speed == 0.0) {
    return Facing(stand.normal, 0.0, true);
  }
  var touching = standTouch(stand);
  let before = rotateBack(pair.rotationA, came);
  // At the end of something thin the far side may be as near.
  if (dot(touching.normal, velocity) > 0.0 && dot(before, velocity) < 0.0) {
    touching.normal = before;
    touching.direction = before;
  }
  var face = facing(pair, velocity / speed, 0.0, pair.radiusA + pair.radiusB + margin, slack, touching, true);
  face.closing *= speed;
  return face;
}
