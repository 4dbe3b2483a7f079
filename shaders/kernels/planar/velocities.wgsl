// How the bodies of a pair in 2-D move against each other.

import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin};
import package::kernels::parameters::{parameters};
import package::kernels::planar::load-pair::{BodyPair};
import package::planar::queries::impacts::motion::{PlanarMotion, isRotation};
import package::planar::shapes::{SpecialisedShape, PlanarVelocity, PLANAR_POINT};
import package::queries::impacts::times::{PASSES_PARTING};

@group(0) @binding(8) var<storage, read> velocities: array<PlanarVelocity>;

// Whether any body rotates. Kernels for other bodies skip the tests for it.
override IS_ROTATING: bool = false;

struct MotionInput {
  isValid: bool,
  motion: PlanarMotion,
}

// `bodies` is valid.
fn loadMotion(bodies: BodyPair) -> MotionInput {
  let a = velocities[bodies.numbers.x];
  let b = velocities[bodies.numbers.y];
  var motion: PlanarMotion;
  motion.offset = bodies.offset;
  motion.velocity = b.linear - a.linear;
  motion.duration = parameters.duration;
  motion.margin = parameters.margin;
  motion.passesParting = PASSES_PARTING;
  var isValid = isVelocity(a.linear) && isVelocity(b.linear);
  if (IS_ROTATING) {
    isValid &= isRotation(a.angular, parameters.duration) && isRotation(b.angular, parameters.duration);
    motion.angularVelocityA = select(a.angular, 0.0, isRound(bodies.shapeA));
    motion.angularVelocityB = select(b.angular, 0.0, isRound(bodies.shapeB));
  }
  return MotionInput(isValid, motion);
}

// Whether either body turns, and that matters.
fn isTurning(bodies: BodyPair) -> bool {
  let turnsA = velocities[bodies.numbers.x].angular != 0.0 && !isRound(bodies.shapeA);
  return turnsA || (velocities[bodies.numbers.y].angular != 0.0 && !isRound(bodies.shapeB));
}

fn isVelocity(v: vec2f) -> bool {
  return isWithin(v.x, GREATEST_POSITION) && isWithin(v.y, GREATEST_POSITION);
}

// The rotation of a circle around its body's origin has no effect.
fn isRound(shape: SpecialisedShape) -> bool {
  return shape.kind == PLANAR_POINT && all(shape.data.xy == vec2f(0.0));
}
