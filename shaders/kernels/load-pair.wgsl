// Loads the two bodies of a pair in 3-D: their shapes and poses.
//
// The input may be unchecked (src/gpu/expectations.ts). Then a number can have any value, and answers are void. So
// loops must be bounded by constants or by the records of shapes, and shapes that a kernel was not compiled for are
// refused.

import package::kernels::parameters::{parameters, bodyShapes, pairs, ANY_KIND, HAS_FIXED_POINT, KIND_A, KIND_B};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::fixed-point::{fixedPointOffset};
import package::shared::math::{isWithin3};
import package::shared::pair::{Pair, makePair, isValidBody};
import package::shared::shapes::{Shape, Pose, CORE_BOX, CORE_HULL, CORE_ELLIPSOID, CORE_HALFSPACE};
import package::shared::support::{HAS_CURVED};
import package::shared::support-of-polytope::{SMALL_HULL, SMALL_HULLS};

@group(0) @binding(1) var<storage, read> shapeRecords: array<Shape>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<Pose>;

// Whether no shape of the pairs is rounded.
override IS_SHARP: bool = false;

// Stands for boxes, segments and points.
const ANY_BOX: u32 = 0xfeu;

// A pair as the algorithms take it.
struct LoadedPair {
  isValid: bool,
  pair: Pair,
  shapeA: Shape,
  shapeB: Shape,
}

fn loadPair(index: u32) -> LoadedPair {
  let bodies = loadBodies(index);
  var loaded: LoadedPair;
  if (bodies.isValid) {
    let pair = makePair(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, bodies.offset);
    loaded = LoadedPair(true, pair, bodies.shapeA, bodies.shapeB);
  }
  return loaded;
}

// The two bodies of a pair, in world space.
struct BodyPair {
  isValid: bool,
  // Indices of the two bodies.
  numbers: vec2u,
  shapeA: Shape,
  shapeB: Shape,
  poseA: Pose,
  poseB: Pose,
  // B's position minus A's.
  offset: vec3f,
}

fn loadBodies(index: u32) -> BodyPair {
  var loaded: BodyPair;
  let numbers = pairs[index];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return loaded;
  }
  let shapeNumbers = vec2u(bodyShapes[numbers.x], bodyShapes[numbers.y]);
  if (max(shapeNumbers.x, shapeNumbers.y) >= parameters.shapeCount) {
    return loaded;
  }
  loaded.numbers = numbers;
  let poseA = poses[numbers.x];
  let poseB = poses[numbers.y];
  loaded.shapeA = shapeRecords[shapeNumbers.x];
  loaded.shapeB = shapeRecords[shapeNumbers.y];
  // Finite only if both positions are.
  var offset = poseB.position - poseA.position;
  let isValid = isWithin3(offset, 2.0 * GREATEST_POSITION) &&
      isValidBody(loaded.shapeA, poseA) && isValidBody(loaded.shapeB, poseB);
  if (HAS_FIXED_POINT) {
    offset = cellOffset(numbers.x, numbers.y);
  }
  let isExpected = handlesKinds(loaded.shapeA.kind, loaded.shapeB.kind) &&
      !(SMALL_HULLS && max(loaded.shapeA.vertexCount, loaded.shapeB.vertexCount) > SMALL_HULL);
  if (!isValid || !isExpected) {
    return loaded;
  }
  if (KIND_A < ANY_BOX) {
    loaded.shapeA.kind = KIND_A;
    loaded.shapeB.kind = KIND_B;
  }
  if (IS_SHARP) {
    loaded.shapeA.radius = 0.0;
    loaded.shapeB.radius = 0.0;
  }
  loaded.isValid = true;
  loaded.poseA = poseA;
  loaded.poseB = poseB;
  loaded.offset = offset;
  return loaded;
}

// Whether this kernel can answer for shapes of these kinds. No kernel can for the kind of a removed shape.
fn handlesKinds(kindA: u32, kindB: u32) -> bool {
  // Two half-spaces have no distance. One half-space is fine beside a bounded shape of any kind.
  if (max(kindA, kindB) == CORE_HALFSPACE && KIND_A == ANY_KIND) {
    return min(kindA, kindB) <= CORE_ELLIPSOID;
  }
  if (min(kindA, kindB) == CORE_HALFSPACE) {
    return false;
  }
  if (KIND_A >= ANY_BOX) {
    return max(kindA, kindB) <= select(select(CORE_HULL, CORE_ELLIPSOID, HAS_CURVED), CORE_BOX, KIND_A == ANY_BOX);
  }
  return kindA == KIND_A && kindB == KIND_B;
}

fn positionCell(body: u32) -> vec3i {
  let at = parameters.bodyCount + 6u * body;
  return vec3i(vec3u(bodyShapes[at], bodyShapes[at + 1u], bodyShapes[at + 2u]));
}

fn positionFraction(body: u32) -> vec3i {
  let at = parameters.bodyCount + 6u * body + 3u;
  return vec3i(vec3u(bodyShapes[at], bodyShapes[at + 1u], bodyShapes[at + 2u]));
}

// B's position minus A's.
fn cellOffset(bodyA: u32, bodyB: u32) -> vec3f {
  let cells = positionCell(bodyB) - positionCell(bodyA);
  let fractions = positionFraction(bodyB) - positionFraction(bodyA);
  return fixedPointOffset(cells, fractions, parameters.cellSize);
}
