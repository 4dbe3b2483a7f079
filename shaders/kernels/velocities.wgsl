// How the bodies of a pair move against each other.

import package::shared::constants::{GREATEST_POSITION, MOTION_MOST_TURN};
import package::shared::math::{EPSILON, isFinite3, isWithin3};
import package::shared::shapes::{Velocity, CORE_POINT};
import package::queries::impacts::motion::{Motion};
import package::kernels::load-pair::{BodyPair};
import package::kernels::parameters::{parameters};

@group(0) @binding(8) var<storage, read> velocities: array<Velocity>;

// Whether any body rotates. Kernels for other bodies skip the tests for it.
override IS_ROTATING: bool = false;

// Rounding that may be added to a rotation that the host accepts.
const MOST_TURN_ULPS: f32 = 8.0;

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
    let turn = max(length(a.angular * parameters.duration), length(b.angular * parameters.duration));
    isValid &= isFinite3(a.angular) && isFinite3(b.angular) && isFinite3(vec3f(turn)) &&
        turn <= MOTION_MOST_TURN * (1.0 + MOST_TURN_ULPS * EPSILON);
    // A sphere's rotation has no effect.
    motion.angularVelocityA = select(a.angular, vec3f(0.0), bodies.shapeA.kind == CORE_POINT);
    motion.angularVelocityB = select(b.angular, vec3f(0.0), bodies.shapeB.kind == CORE_POINT);
  }
  return MotionInput(isValid, motion);
}
