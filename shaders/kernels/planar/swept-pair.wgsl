// How the bodies of a pair in 2-D translate while their bounding circles meet, and how they rotate.

import package::kernels::part-pairs::parameters::{parameters};
import package::kernels::part-pairs::searched::{SearchedPair, Sweep, SWEEP_INVALID};
import package::kernels::part-pairs::sweep-of::{SweptWay, sweepBetween};
import package::kernels::planar::searched-pair::{loadShape, poses};
import package::part-pairs::boxes::{IS_ROTATING};
import package::planar::queries::impacts::motion::{PlanarMotion, isRotation, translationOf};
import package::planar::shapes::{PlanarVelocity};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin};

@group(0) @binding(2) var<storage, read> velocities: array<PlanarVelocity>;

fn sweepOf(searched: SearchedPair) -> Sweep {
  let a = velocities[searched.numbers.x];
  let b = velocities[searched.numbers.y];
  var isValid = isWithin(a.linear.x, GREATEST_POSITION) && isWithin(a.linear.y, GREATEST_POSITION) &&
      isWithin(b.linear.x, GREATEST_POSITION) && isWithin(b.linear.y, GREATEST_POSITION);
  var spins = vec2f(0.0);
  if (IS_ROTATING) {
    spins = vec2f(a.angular, b.angular);
    isValid &= isRotation(spins.x, parameters.duration) && isRotation(spins.y, parameters.duration);
  }
  if (!isValid) {
    return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_INVALID, vec2f(0.0));
  }
  let poseA = poses[searched.numbers.x];
  let poseB = poses[searched.numbers.y];
  let motion = PlanarMotion(
    poseB.position - poseA.position, b.linear - a.linear, parameters.duration, parameters.margin, spins.x, spins.y, 0.0,
    false
  );
  let way = translationOf(loadShape(searched.roots.x), poseA, loadShape(searched.roots.y), poseB, motion);
  return sweepBetween(
    SweptWay(
      way.isMoving, true, vec3f(way.offset, 0.0), vec3f(way.direction, 0.0), way.length, way.size, way.margin, way.unit,
      abs(spins) * parameters.duration
    )
  );
}
