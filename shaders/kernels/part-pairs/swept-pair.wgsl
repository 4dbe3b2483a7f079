// How the bodies of a pair in 3-D translate while their bounding spheres meet, and how they rotate.

import package::kernels::part-pairs::parameters::{parameters};
import package::kernels::part-pairs::searched::{SearchedPair, Sweep, bodyShapes, SWEEP_INVALID};
import package::kernels::part-pairs::searched-pair::{poses, shapeRecords};
import package::kernels::part-pairs::sweep-of::{SweptWay, sweepBetween};
import package::queries::impacts::motion::{Motion, isRotation, translationOf};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin3};
import package::part-pairs::boxes::{IS_ROTATING};
import package::shared::shapes::{Velocity, CORE_HALFSPACE};

@group(0) @binding(2) var<storage, read> velocities: array<Velocity>;

fn sweepOf(searched: SearchedPair) -> Sweep {
  let a = velocities[searched.numbers.x];
  let b = velocities[searched.numbers.y];
  var motion: Motion;
  motion.velocity = b.linear - a.linear;
  motion.duration = parameters.duration;
  motion.margin = parameters.margin;
  var isValid = isWithin3(a.linear, GREATEST_POSITION) && isWithin3(b.linear, GREATEST_POSITION);
  if (IS_ROTATING) {
    isValid &= isRotation(a.angular, parameters.duration) && isRotation(b.angular, parameters.duration);
    motion.angularVelocityA = a.angular;
    motion.angularVelocityB = b.angular;
  }
  if (!isValid) {
    return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_INVALID, vec2f(0.0));
  }
  let shapeA = shapeRecords[bodyShapes[searched.numbers.x]];
  let shapeB = shapeRecords[bodyShapes[searched.numbers.y]];
  let poseA = poses[searched.numbers.x];
  let poseB = poses[searched.numbers.y];
  motion.offset = poseB.position - poseA.position;
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  let areBounded = shapeA.kind != CORE_HALFSPACE && shapeB.kind != CORE_HALFSPACE;
  return sweepBetween(
    SweptWay(
      translation.isMoving, areBounded, translation.offset, translation.direction, translation.length, translation.size,
      translation.margin, translation.unit,
      vec2f(
        length(motion.angularVelocityA * parameters.duration), length(motion.angularVelocityB * parameters.duration)
      )
    )
  );
}
