// How the bodies of a pair in 2-D translate while their bounding circles meet.

import package::kernels::part-pairs::parameters::{parameters};
import package::kernels::part-pairs::searched::{SearchedPair, Sweep, SWEEP_INVALID};
import package::kernels::part-pairs::sweep-of::{SweptWay, sweepBetween};
import package::kernels::planar::searched-pair::{loadShape, poses};
import package::planar::queries::impacts::motion::{PlanarMotion, translationOf};
import package::planar::shapes::{PlanarVelocity};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin};

@group(0) @binding(2) var<storage, read> velocities: array<PlanarVelocity>;

fn sweepOf(searched: SearchedPair) -> Sweep {
  let a = velocities[searched.numbers.x].linear;
  let b = velocities[searched.numbers.y].linear;
  let areValid = isWithin(a.x, GREATEST_POSITION) && isWithin(a.y, GREATEST_POSITION) &&
      isWithin(b.x, GREATEST_POSITION) && isWithin(b.y, GREATEST_POSITION);
  if (!areValid) {
    return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_INVALID);
  }
  let poseA = poses[searched.numbers.x];
  let poseB = poses[searched.numbers.y];
  let motion = PlanarMotion(
    poseB.position - poseA.position, b - a, parameters.duration, parameters.margin, 0.0, 0.0, 0.0, false
  );
  let way = translationOf(loadShape(searched.roots.x), poseA, loadShape(searched.roots.y), poseB, motion);
  return sweepBetween(
    SweptWay(
      way.isMoving, true, vec3f(way.offset, 0.0), vec3f(way.direction, 0.0), way.length, way.size, way.margin, way.unit
    )
  );
}
