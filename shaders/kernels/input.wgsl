// The two bodies of a pair in space: their shapes and poses.

import package::kernels::parameters::{parameters, bodies, pairs, ANY_KIND, FRACTION_BITS, HAS_CELLS, KIND_A, KIND_B};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin3};
import package::shared::pair::{Pair, makePair, isValidBody};
import package::shared::shapes::{Shape, Pose, CORE_BOX, CORE_HULL, CORE_ELLIPSOID, CORE_HALFSPACE};
import package::shared::support::{HAS_CURVED};

@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<Pose>;

// Whether no shape of theirs is rounded.
override IS_SHARP: bool = false;

// A kind for boxes, segments and points.
const ANY_BOX: u32 = 0xfeu;

struct Input {
  isValid: bool,
  pair: Pair,
  shapeA: Shape,
  shapeB: Shape,
}

fn loadInput(index: u32) -> Input {
  let bodies = loadBodies(index);
  var input: Input;
  if (bodies.isValid) {
    let pair = makePair(bodies.shapeA, bodies.poseA, bodies.shapeB, bodies.poseB, bodies.offset);
    input = Input(true, pair, bodies.shapeA, bodies.shapeB);
  }
  return input;
}

// The two bodies of a pair, in the world.
struct BodyPair {
  isValid: bool,
  // By number.
  numbers: vec2u,
  shapeA: Shape,
  shapeB: Shape,
  poseA: Pose,
  poseB: Pose,
  // B's position minus A's.
  offset: vec3f,
}

fn loadBodies(index: u32) -> BodyPair {
  var input: BodyPair;
  let numbers = pairs[index];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return input;
  }
  let shapeNumbers = vec2u(bodies[numbers.x], bodies[numbers.y]);
  if (max(shapeNumbers.x, shapeNumbers.y) >= parameters.shapeCount) {
    return input;
  }
  input.numbers = numbers;
  let poseA = poses[numbers.x];
  let poseB = poses[numbers.y];
  input.shapeA = shapes[shapeNumbers.x];
  input.shapeB = shapes[shapeNumbers.y];
  // Finite only if both positions are.
  var offset = poseB.position - poseA.position;
  let isValid = isWithin3(offset, 2.0 * GREATEST_POSITION) && isValidBody(input.shapeA, poseA) && isValidBody(input.shapeB, poseB);
  if (HAS_CELLS) {
    offset = cellOffset(numbers.x, numbers.y);
  }
  if (!isValid || !isDue(input.shapeA.kind, input.shapeB.kind)) {
    return input;
  }
  if (KIND_A < ANY_BOX) {
    input.shapeA.kind = KIND_A;
    input.shapeB.kind = KIND_B;
  }
  if (IS_SHARP) {
    input.shapeA.radius = 0.0;
    input.shapeB.radius = 0.0;
  }
  input.isValid = true;
  input.poseA = poseA;
  input.poseB = poseB;
  input.offset = offset;
  return input;
}

// Whether this kernel can answer for shapes of these kinds. A removed shape has a kind that none can.
fn isDue(kindA: u32, kindB: u32) -> bool {
  // Two half-spaces have no distance; one is due where its other shape is bounded, of whatever kind.
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
  return vec3i(vec3u(bodies[at], bodies[at + 1u], bodies[at + 2u]));
}

fn positionFraction(body: u32) -> vec3i {
  let at = parameters.bodyCount + 6u * body + 3u;
  return vec3i(vec3u(bodies[at], bodies[at + 1u], bodies[at + 2u]));
}

// B's position minus A's. Integers subtract exactly wherever the bodies are, and no compiler reassociates them; where
// the cells are the same or neighbours, cells and fractions make one integer before they become a rounded number.
fn cellOffset(bodyA: u32, bodyB: u32) -> vec3f {
  let cells = positionCell(bodyB) - positionCell(bodyA);
  let fractions = positionFraction(bodyB) - positionFraction(bodyA);
  let isNear = abs(cells) <= vec3i(1);
  let whole = select(vec3i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec3i(0), isNear);
  return vec3f(whole) * (parameters.cellSize / f32(1u << FRACTION_BITS)) + vec3f(rest) * parameters.cellSize;
}
