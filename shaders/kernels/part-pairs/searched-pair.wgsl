// A pair of bodies in 3-D whose pairs of parts are looked for.

import package::kernels::part-pairs::searched::{SearchedPair, Sweep, pairs, shapesOf, NO_SHAPE, SWEEP_INVALID};
import package::part-pairs::boxes::{PartPlaces, partPlaces};
import package::shared::constants::{GREATEST_POSITION, KIND_COUNT};
import package::shared::math::{conjugate, isWithin3, relativeQuaternion, rotated, rotationMatrix, scaleToUnit};
import package::shared::pair::{extentOf, isValidBody};
import package::shared::shapes::{Pose, Shape, CORE_PARTS};

@group(0) @binding(1) var<storage, read> shapeRecords: array<Shape>;
@group(0) @binding(3) var<storage, read> poses: array<Pose>;

// `bound`: boxes that are farther apart do not matter.
fn loadSearched(pair: u32, bound: f32, sweep: Sweep) -> SearchedPair {
  var loaded: SearchedPair;
  loaded.numbers = pairs[pair];
  // Kernels find pairs of this kind invalid.
  loaded.kinds = vec2u(CORE_PARTS);
  let ids = shapesOf(loaded.numbers);
  if (ids.x == NO_SHAPE) {
    return loaded;
  }
  let shapeA = shapeRecords[ids.x];
  let shapeB = shapeRecords[ids.y];
  let poseA = poses[loaded.numbers.x];
  let poseB = poses[loaded.numbers.y];
  let offset = poseB.position - poseA.position;
  let isValid = isWithin3(offset, 2.0 * GREATEST_POSITION) && max(shapeA.kind, shapeB.kind) < KIND_COUNT &&
      isValidBody(shapeA, poseA) && isValidBody(shapeB, poseB) && sweep.slack != SWEEP_INVALID;
  if (!isValid) {
    return loaded;
  }
  loaded.roots = ids;
  loaded.kinds = vec2u(shapeA.kind, shapeB.kind);
  loaded.hasParts = max(shapeA.kind, shapeB.kind) == CORE_PARTS;
  loaded.at = placeParts(shapeA, poseA, shapeB, poseB, offset + sweep.before, sweep, bound);
  return loaded;
}

// `offset` is B's position minus A's as the sweep begins, in world axes.
fn placeParts(
  shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, offset: vec3f, sweep: Sweep, margin: f32
) -> PartPlaces {
  let quaternionA = poseA.quaternion * scaleToUnit(dot(poseA.quaternion, poseA.quaternion));
  let quaternionB = poseB.quaternion * scaleToUnit(dot(poseB.quaternion, poseB.quaternion));
  return partPlaces(
    rotationMatrix(relativeQuaternion(quaternionA, quaternionB)),
    rotated(conjugate(quaternionA), offset),
    poseA.scale,
    poseB.scale,
    extentOf(shapeA) * poseA.scale + extentOf(shapeB) * poseB.scale,
    rotated(conjugate(quaternionA), sweep.way),
    sweep.turns,
    margin,
  );
}
