// How the bodies of a pair move against each other.

import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin3};
import package::shared::geometry::{HAS_PARTS};
import package::shared::shapes::{Shape, Velocity, CORE_POINT};
import package::queries::impacts::motion::{Motion, isRotation};
import package::kernels::load-pair::{BodyPair};
import package::kernels::parameters::{parameters};

@group(0) @binding(8) var<storage, read> velocities: array<Velocity>;

// Whether any body rotates. Kernels for other bodies skip the tests for it.
override IS_ROTATING: bool = false;

struct MotionInput {
  isValid: bool,
  motion: Motion,
}

// `bodies` is valid.
fn loadMotion(bodies: BodyPair) -> MotionInput {
  let a = velocities[bodies.numbers.x];
  let b = velocities[bodies.numbers.y];
  var motion: Motion;
  motion.offset = bodies.offset;
  motion.velocity = b.linear - a.linear;
  motion.duration = parameters.duration;
  motion.margin = parameters.margin;
  var isValid = isWithin3(a.linear, GREATEST_POSITION) && isWithin3(b.linear, GREATEST_POSITION);
  if (IS_ROTATING) {
    isValid &= isRotation(a.angular, parameters.duration) && isRotation(b.angular, parameters.duration);
    motion.angularVelocityA = select(a.angular, vec3f(0.0), isRound(bodies.shapeA));
    motion.angularVelocityB = select(b.angular, vec3f(0.0), isRound(bodies.shapeB));
  }
  return MotionInput(isValid, motion);
}

// The rotation of a sphere around its body's origin has no effect.
fn isRound(shape: Shape) -> bool {
  return shape.kind == CORE_POINT && (!HAS_PARTS || all(shape.middle == vec3f(0.0)));
}

// Whether either body turns, and that matters.
fn isTurning(bodies: BodyPair) -> bool {
  let turnsA = any(velocities[bodies.numbers.x].angular != vec3f(0.0)) && !isRound(bodies.shapeA);
  return turnsA || (any(velocities[bodies.numbers.y].angular != vec3f(0.0)) && !isRound(bodies.shapeB));
}
