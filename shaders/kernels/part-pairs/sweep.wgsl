// For `impacts`: how body B of each pair of bodies translates relative to A while their bounding spheres meet. The
// search takes the pairs of parts whose boxes meet on that way. An invocation takes a pair of bodies.

import package::approach::{approach};
import package::kernels::part-pairs::parameters::{pairEnd, parameters, FIRST_BOUND};
import package::kernels::part-pairs::searched-pair::{
  SearchedPair, Sweep, bodyShapes, loadSearched, poses, shapeRecords, SWEEP_FAR, SWEEP_INVALID, SWEEP_WORDS
};
import package::queries::impacts::motion::{Motion, translationOf};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{EPSILON, isWithin3};
import package::shared::shapes::{Velocity, CORE_HALFSPACE};

@group(0) @binding(2) var<storage, read> velocities: array<Velocity>;
// The numbers of pairs of parts, then the sweeps.
@group(0) @binding(8) var<storage, read_write> partPairCount: array<u32>;

// The gap up to which boxes may meet, as a share of both bodies' sizes: kernels let bodies overlap slightly before they
// meet, and times have rounding errors.
const MOTION_SLACK: f32 = 1e-5;
// The rounding of where B is when the spheres meet, in ULPS of the distance at the start.
const PLACE_ULPS: f32 = 4.0;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let pair = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (pair >= pairEnd()) {
    return;
  }
  let searched = loadSearched(pair, 0.0, Sweep());
  var sweep = Sweep();
  if (searched.hasParts) {
    sweep = sweepOf(searched);
  }
  let words = array<f32, SWEEP_WORDS>(
    sweep.before.x, sweep.before.y, sweep.before.z, sweep.way.x, sweep.way.y, sweep.way.z, sweep.slack
  );
  for (var i = 0u; i < SWEEP_WORDS; i++) {
    partPairCount[FIRST_BOUND + SWEEP_WORDS * pair + i] = bitcast<u32>(words[i]);
  }
}

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
  var begin = 0.0;
  var end = translation.length;
  let areBounded = shapeA.kind != CORE_HALFSPACE && shapeB.kind != CORE_HALFSPACE;
  if (translation.isMoving && areBounded) {
    let radii = translation.size * (1.0 + MOTION_SLACK) + translation.margin;
    let spheres = approach(translation.offset, translation.direction, radii);
    begin = max(spheres.entry, 0.0);
    end = min(end, spheres.exit);
    if (!spheres.isNear || end < begin) {
      return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_FAR);
    }
  }
  let along = translation.direction * translation.unit;
  let rounding = PLACE_ULPS * EPSILON * length(translation.offset);
  let slack = (MOTION_SLACK * translation.size + rounding) * translation.unit;
  return Sweep(along * begin, select(vec3f(0.0), along * (end - begin), translation.isMoving), slack);
}
