// A pair of bodies in 2-D whose pairs of parts are looked for. Boxes of their trees have no height, at z = 0.

import package::kernels::part-pairs::searched::{SearchedPair, Sweep, pairs, shapesOf, NO_SHAPE, SWEEP_INVALID};
import package::part-pairs::boxes::{partPlaces};
import package::planar::math::{rotateBack};
import package::planar::pair::{isValidBody};
import package::planar::shapes::{PlanarPose, SpecialisedShape, shapeOfRows};
import package::shared::constants::{GREATEST_POSITION, KIND_COUNT};
import package::shared::math::{cosineAndSine, isWithin};
import package::shared::shapes::{CORE_PARTS};

@group(0) @binding(1) var<storage, read> shapeRecords: array<vec4u>;
@group(0) @binding(3) var<storage, read> poses: array<PlanarPose>;

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
  let shapeA = loadShape(ids.x);
  let shapeB = loadShape(ids.y);
  let poseA = poses[loaded.numbers.x];
  let poseB = poses[loaded.numbers.y];
  let offset = poseB.position - poseA.position;
  let isValid = isWithin(offset.x, 2.0 * GREATEST_POSITION) && isWithin(offset.y, 2.0 * GREATEST_POSITION) &&
      max(shapeA.kind, shapeB.kind) < KIND_COUNT && isValidBody(shapeA, poseA) && isValidBody(shapeB, poseB) &&
      sweep.slack != SWEEP_INVALID;
  if (!isValid) {
    return loaded;
  }
  loaded.roots = ids;
  loaded.kinds = vec2u(shapeA.kind, shapeB.kind);
  loaded.hasParts = max(shapeA.kind, shapeB.kind) == CORE_PARTS;
  let rotationA = cosineAndSine(poseA.angle);
  let between = rotateBack(rotationA, cosineAndSine(poseB.angle));
  let axes = mat3x3f(vec3f(between, 0.0), vec3f(-between.y, between.x, 0.0), vec3f(0.0, 0.0, 1.0));
  let place = vec3f(rotateBack(rotationA, offset + sweep.before.xy), 0.0);
  let way = vec3f(rotateBack(rotationA, sweep.way.xy), 0.0);
  let reach = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  loaded.at = partPlaces(axes, place, poseA.scale, poseB.scale, reach, way, sweep.turns, bound);
  return loaded;
}

fn loadShape(id: u32) -> SpecialisedShape {
  return shapeOfRows(shapeRecords[3u * id], shapeRecords[3u * id + 1u], shapeRecords[3u * id + 2u]);
}
