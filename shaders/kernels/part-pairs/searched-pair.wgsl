// A pair of bodies whose pairs of parts are looked for.

import package::kernels::part-pairs::parameters::{parameters};
import package::part-pairs::boxes::{placeParts, PartNode, PartPlaces};
import package::shared::constants::{GREATEST_POSITION, KIND_COUNT, PART_KIND_SHIFT};
import package::shared::math::{isWithin3};
import package::shared::pair::{isValidBody};
import package::shared::shapes::{Pose, Shape, CORE_PARTS};

@group(0) @binding(1) var<storage, read> shapeRecords: array<Shape>;
@group(0) @binding(3) var<storage, read> poses: array<Pose>;
@group(0) @binding(4) var<storage, read> bodyShapes: array<u32>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(6) var<storage, read> partNodes: array<PartNode>;

// Two bodies, and how their trees are searched.
struct SearchedPair {
  numbers: vec2u,
  // The roots of both trees.
  roots: vec2u,
  // Kinds of both bodies.
  kinds: vec2u,
  // Whether the bodies are valid, and one has parts.
  hasParts: bool,
  at: PartPlaces,
}

// How body B of a pair translates relative to A, from where their bounding spheres meet to where they part, or to the
// end of the motion. SWEEP_WORDS words per pair of bodies.
struct Sweep {
  // In world axes: how far B moves until the spheres meet, and from there.
  before: vec3f,
  way: vec3f,
  // Gap up to which boxes may meet besides the margin. SWEEP_FAR if the spheres do not meet, SWEEP_INVALID if a
  // velocity is not finite or exceeds GREATEST_POSITION.
  slack: f32,
}

const SWEEP_WORDS: u32 = 7u;

const SWEEP_FAR: f32 = -1.0;
const SWEEP_INVALID: f32 = -2.0;

// `bound`: boxes that are farther apart do not matter.
fn loadSearched(pair: u32, bound: f32, sweep: Sweep) -> SearchedPair {
  var loaded: SearchedPair;
  loaded.numbers = pairs[pair];
  // Kernels find pairs of this kind invalid.
  loaded.kinds = vec2u(CORE_PARTS);
  if (max(loaded.numbers.x, loaded.numbers.y) >= parameters.bodyCount) {
    return loaded;
  }
  let ids = vec2u(bodyShapes[loaded.numbers.x], bodyShapes[loaded.numbers.y]);
  if (max(ids.x, ids.y) >= parameters.shapeCount) {
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
  loaded.at = placeParts(shapeA, poseA, shapeB, poseB, offset + sweep.before, sweep.way, bound);
  return loaded;
}

// Two parts with their kinds, as a row of `pairs` has them for the kernels that answer it.
fn packed(parts: vec2u, kinds: vec2u) -> vec2u {
  return parts | (kinds << vec2u(PART_KIND_SHIFT));
}
