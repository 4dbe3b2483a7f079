// The relative motion of two bodies in 2-D, in world axes.

import package::shared::constants::{LEAST_SPEED, MOTION_MOST_TURN, MOTION_SHALLOW, MOTION_TOUCH_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON, cosineAndSine, isFinite, powerOfTwoBelow, inversePowerOfTwo};
import package::planar::math::{directionOf, rotate, rotateBack};
import package::planar::pair::{HAS_MIDDLES, PlanarPair, rotatedPair};
import package::planar::shapes::{SpecialisedShape, PlanarPose};

struct PlanarMotion {
  // B's position minus A's at time 0, and its velocity minus A's.
  offset: vec2f,
  velocity: vec2f,
  // Seconds, at least 0.
  duration: f32,
  // The distance at which bodies meet.
  margin: f32,
  // Radians per second. Zero for bodies that don't rotate.
  angularVelocityA: f32,
  angularVelocityB: f32,
  // How long before time 0 the bodies have the orientations of their poses. 0: time is counted from the start.
  began: f32,
  // Whether bodies that overlap or touch at the start meet only if they close in.
  passesParting: bool,
}

fn isRotating(motion: PlanarMotion) -> bool {
  return motion.angularVelocityA != 0.0 || motion.angularVelocityB != 0.0;
}

// Rounding that may be added to a rotation that the host accepts.
const PLANAR_MOST_TURN_ULPS: f32 = 8.0;

// Whether a body may rotate like that.
fn isRotation(angularVelocity: f32, duration: f32) -> bool {
  let turn = abs(angularVelocity * duration);
  return isFinite(angularVelocity) && isFinite(turn) &&
      turn <= MOTION_MOST_TURN * (1.0 + PLANAR_MOST_TURN_ULPS * EPSILON);
}

// Whether bodies without relative velocity rotate by so little that they count as resting.
fn isResting(motion: PlanarMotion, isMoving: bool) -> bool {
  return !isMoving && (abs(motion.angularVelocityA) + abs(motion.angularVelocityB)) * motion.duration <=
      MOTION_SHALLOW * touchToleranceOf(1.0);
}

// B's translation relative to A.
struct Translation {
  isMoving: bool,
  // Unit vector.
  direction: vec2f,
  speed: f32,
  // A power of two in which the offset and the bodies have lengths of about 1.
  unit: f32,
  // In this unit: B's offset, from middle to middle if the bodies don't rotate, otherwise from origin to origin; how
  // far it goes; the sum of the bounding radii about these points; and the margin.
  offset: vec2f,
  length: f32,
  size: f32,
  margin: f32,
}

// Lengths beyond this are treated as infinite.
const PLANAR_ENDLESS: f32 = 1e30;

fn translationOf(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, motion: PlanarMotion
) -> Translation {
  var translation: Translation;
  var size = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  var offset = motion.offset;
  if (HAS_MIDDLES && !isRotating(motion)) {
    size = shapeA.middleRadius * poseA.scale + shapeB.middleRadius * poseB.scale;
    offset += rotate(cosineAndSine(poseB.angle), shapeB.middle * poseB.scale) -
        rotate(cosineAndSine(poseA.angle), shapeA.middle * poseA.scale);
  }
  translation.unit = powerOfTwoBelow(clamp(max(size, max(abs(offset.x), abs(offset.y))), 1e-30, 1e30));
  let toUnit = inversePowerOfTwo(translation.unit);
  translation.offset = offset * toUnit;
  translation.size = size * toUnit;
  translation.margin = min(motion.margin, UNBOUNDED * translation.unit) * toUnit;
  let velocity = motion.velocity;
  let longest = max(abs(velocity.x), abs(velocity.y));
  translation.isMoving = longest > LEAST_SPEED;
  translation.direction = vec2f(1.0, 0.0);
  if (translation.isMoving) {
    translation.speed = longest * length(velocity / longest);
    translation.direction = directionOf(velocity, translation.direction);
    translation.length = min(
      min(translation.speed * min(motion.duration, PLANAR_ENDLESS), PLANAR_ENDLESS) * toUnit, PLANAR_ENDLESS
    );
  }
  return translation;
}

// The bodies as they are at some time.
fn pairAt(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, motion: PlanarMotion,
  time: f32
) -> PlanarPair {
  // Separate rotations, as sums with the angles would be rounded more.
  let turnA = cosineAndSine(motion.angularVelocityA * (motion.began + time));
  let turnB = cosineAndSine(motion.angularVelocityB * (motion.began + time));
  return rotatedPair(
    shapeA, poseA.scale, rotate(turnA, cosineAndSine(poseA.angle)), shapeB, poseB.scale,
    rotate(turnB, cosineAndSine(poseB.angle)), motion.offset + motion.velocity * time, motion.margin
  );
}

// Overlap up to which bodies only touch, for a pair whose bounding radii have this sum in its unit.
fn touchToleranceOf(size: f32) -> f32 {
  return MOTION_TOUCH_ULPS * EPSILON * max(size, 1.0);
}

// An upper bound of the relative speed of the bodies' points. `size`: the sum of the bounding radii.
fn greatestSpeed(motion: PlanarMotion, size: f32) -> f32 {
  return length(motion.velocity) + (abs(motion.angularVelocityA) + abs(motion.angularVelocityB)) * size;
}

// The velocity of a point of B minus that of a point of A, in A's frame and the pair's unit.
fn relativeVelocity(pair: PlanarPair, motion: PlanarMotion, onA: vec2f, onB: vec2f) -> vec2f {
  let velocity = rotateBack(pair.rotationA, motion.velocity) / pair.unit;
  // From the bodies' origins, about which they turn.
  let ofA = onA + pair.middleA;
  let ofB = onB - pair.translation + pair.middleB;
  return velocity + leftOf(ofB) * motion.angularVelocityB - leftOf(ofA) * motion.angularVelocityA;
}
