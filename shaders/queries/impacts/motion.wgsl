// The relative motion of two bodies, in world axes.

import package::shared::constants::{
  CURVED_MOTION_TOUCH_ULPS, LEAST_LENGTH, LEAST_SPEED, MOTION_MOST_TURN, MOTION_TOUCH_ULPS, UNBOUNDED
};
import package::shared::math::{
  EPSILON, cosineAndSine, inversePowerOfTwo, isFinite3, powerOfTwoBelow, quaternionProduct
};
import package::shared::pair::{HAS_MIDDLES, Pair, fromWorld, middleInWorld};
import package::shared::shapes::{Shape, Pose};
import package::shared::support::{isCurvedPair};
import package::queries::pair-unit::{placeInWorld};

struct Motion {
  // B's position minus A's at the start, and B's velocity minus A's.
  offset: vec3f,
  velocity: vec3f,
  // Seconds, at least 0.
  duration: f32,
  // The distance at which bodies meet.
  margin: f32,
  // Radians per second, about the axis along which the vector points. Zero for bodies that don't rotate.
  angularVelocityA: vec3f,
  angularVelocityB: vec3f,
}

// Two bodies at the start, and how they move.
struct MovingBodies {
  shapeA: Shape,
  poseA: Pose,
  shapeB: Shape,
  poseB: Pose,
  motion: Motion,
}

// The greatest distance of a body's points from the origin about which it rotates, in world units.
fn rotationReach(shape: Shape, pose: Pose) -> f32 {
  return shape.boundingRadius * pose.scale;
}

fn isRotating(motion: Motion) -> bool {
  return any(motion.angularVelocityA != vec3f(0.0)) || any(motion.angularVelocityB != vec3f(0.0));
}

// Rounding that may be added to a rotation that the host accepts.
const MOST_TURN_ULPS: f32 = 8.0;

// Whether a body may rotate like that.
fn isRotation(angularVelocity: vec3f, duration: f32) -> bool {
  let turn = length(angularVelocity * duration);
  return isFinite3(angularVelocity) && isFinite3(vec3f(turn)) &&
      turn <= MOTION_MOST_TURN * (1.0 + MOST_TURN_ULPS * EPSILON);
}

// B's translation relative to A.
struct Translation {
  isMoving: bool,
  // Unit vector. If nothing moves, the direction against which an overlap is left.
  direction: vec3f,
  speed: f32,
  // A power of two in which the offset and the bodies have lengths of about 1.
  unit: f32,
  // In this unit: B's offset, from middle to middle if the bodies don't rotate, otherwise from origin to origin; how
  // far it goes; the sum of the bounding radii about these points; and the margin.
  offset: vec3f,
  length: f32,
  size: f32,
  margin: f32,
}

// Lengths beyond this are treated as infinite.
const ENDLESS: f32 = 1e30;

fn translationOf(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> Translation {
  var translation: Translation;
  var size = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  var offset = motion.offset;
  if (HAS_MIDDLES && !isRotating(motion)) {
    size = shapeA.middleRadius * poseA.scale + shapeB.middleRadius * poseB.scale;
    offset += middleInWorld(shapeB, poseB) - middleInWorld(shapeA, poseA);
  }
  let greatest = max(size, max(abs(offset.x), max(abs(offset.y), abs(offset.z))));
  translation.unit = powerOfTwoBelow(clamp(greatest, 1e-30, 1e30));
  let toUnit = inversePowerOfTwo(translation.unit);
  translation.offset = offset * toUnit;
  translation.size = size * toUnit;
  translation.margin = min(motion.margin, UNBOUNDED * translation.unit) * toUnit;
  let velocity = motion.velocity;
  let longest = max(abs(velocity.x), max(abs(velocity.y), abs(velocity.z)));
  translation.isMoving = longest > LEAST_SPEED;
  if (translation.isMoving) {
    let direction = velocity / longest;
    translation.speed = longest * length(direction);
    translation.direction = normalize(direction);
    translation.length = min(min(translation.speed * min(motion.duration, ENDLESS), ENDLESS) * toUnit, ENDLESS);
  } else {
    let distance = length(translation.offset);
    translation.direction = select(
      vec3f(-1.0, 0.0, 0.0), -translation.offset / max(distance, LEAST_LENGTH), distance > LEAST_LENGTH
    );
  }
  return translation;
}

// Overlap up to which bodies only touch.
fn touchToleranceOf(pair: Pair) -> f32 {
  return select(MOTION_TOUCH_ULPS, CURVED_MOTION_TOUCH_ULPS, isCurvedPair(pair)) * EPSILON;
}

// An upper bound of the relative speed of the bodies' points.
fn greatestSpeed(motion: Motion, extentA: f32, extentB: f32) -> f32 {
  return length(motion.velocity) + length(motion.angularVelocityA) * extentA +
      length(motion.angularVelocityB) * extentB;
}

// B's velocity at a point relative to A's, both in A's frame. `offset` is B's position minus A's.
fn velocityAt(pair: Pair, motion: Motion, offset: vec3f, point: vec3f) -> vec3f {
  let contact = placeInWorld(pair, point);
  let ofA = cross(motion.angularVelocityA, contact);
  let ofB = cross(motion.angularVelocityB, contact - offset);
  return fromWorld(pair, motion.velocity - ofA + ofB);
}

// A pose some seconds later, rotated about its position.
fn poseAt(pose: Pose, angularVelocity: vec3f, time: f32) -> Pose {
  let speed = length(angularVelocity);
  if (speed == 0.0) {
    return pose;
  }
  let half = cosineAndSine(0.5 * speed * time);
  let turn = vec4f(angularVelocity * (half.y / speed), half.x);
  return Pose(pose.position, pose.scale, quaternionProduct(turn, pose.quaternion));
}
