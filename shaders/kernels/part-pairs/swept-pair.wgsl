// How the bodies of a pair in 3-D translate while their bounding spheres meet.

import package::kernels::part-pairs::parameters::{parameters};
import package::kernels::part-pairs::searched::{SearchedPair, Sweep, bodyShapes, SWEEP_INVALID};
import package::kernels::part-pairs::searched-pair::{poses, shapeRecords};
import package::kernels::part-pairs::sweep-of::{SweptWay, sweepBetween};
import package::queries::impacts::motion::{Motion, translationOf};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin3};
import package::shared::shapes::{Velocity, CORE_HALFSPACE};

@group(0) @binding(2) var<storage, read> velocities: array<Velocity>;

fn sweepOf(searched: SearchedPair) -> Sweep {
  let a = velocities[searched.numbers.x].linear;
  let b = velocities[searched.numbers.y].linear;
  if (!isWithin3(a, GREATEST_POSITION) || !isWithin3(b, GREATEST_POSITION)) {
    return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_INVALID);
  }
  let shapeA = shapeRecords[bodyShapes[searched.numbers.x]];
  let shapeB = shapeRecords[bodyShapes[searched.numbers.y]];
  let poseA = poses[searched.numbers.x];
  let poseB = poses[searched.numbers.y];
  let motion = Motion(
    poseB.position - poseA.position, b - a, parameters.duration, parameters.margin, vec3f(0.0), vec3f(0.0)
  );
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  let areBounded = shapeA.kind != CORE_HALFSPACE && shapeB.kind != CORE_HALFSPACE;
  return sweepBetween(
    SweptWay(
      translation.isMoving, areBounded, translation.offset, translation.direction, translation.length, translation.size,
      translation.margin, translation.unit
    )
  );
}
