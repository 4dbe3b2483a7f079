// The two bodies of a pair in the plane: their shapes and poses.

import package::kernels::parameters::{parameters, bodies, pairs, ANY_KIND, FRACTION_BITS, HAS_CELLS, KIND_A, KIND_B};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::math::{isWithin};
import package::planar::pair::{PlanarPair, isValidBody, makePair};
import package::planar::shapes::{KnownShape, PlanarPose, PLANAR_POLYGON, shapeOfRows};

// Rows of PlanarShape and PlanarPose: a load of a whole row costs little more than one of a number.
@group(0) @binding(1) var<storage, read> shapes: array<vec4u>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;

// Whether no shape of the pairs is rounded.
override IS_SHARP: bool = false;
// Where the ladder begins, as in planar/queries/signed-distance.wgsl, and what MPR is asked for.
override RUNG: u32 = 0u;
override PORTALS: u32 = 0u;

struct Input {
  isValid: bool,
  pair: PlanarPair,
}

fn loadInput(index: u32) -> Input {
  let bodies = loadBodies(index);
  var input: Input;
  if (bodies.isValid) {
    let shapeA = withKnown(bodies.shapeA, KIND_A);
    let shapeB = withKnown(bodies.shapeB, KIND_B);
    input = Input(true, makePair(shapeA, bodies.poseA, shapeB, bodies.poseB, bodies.offset, 0.0));
  }
  return input;
}

// The two bodies of a pair, in the world.
struct BodyPair {
  isValid: bool,
  // By number.
  numbers: vec2u,
  shapeA: KnownShape,
  shapeB: KnownShape,
  poseA: PlanarPose,
  poseB: PlanarPose,
  // B's position minus A's.
  offset: vec2f,
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
  input.poseA = loadPose(numbers.x);
  input.poseB = loadPose(numbers.y);
  input.shapeA = loadShape(shapeNumbers.x);
  input.shapeB = loadShape(shapeNumbers.y);
  // Finite only if both positions are.
  input.offset = input.poseB.position - input.poseA.position;
  input.isValid = isWithin(input.offset.x, 2.0 * GREATEST_POSITION) && isWithin(input.offset.y, 2.0 * GREATEST_POSITION) &&
    isValidBody(input.shapeA, input.poseA) && isValidBody(input.shapeB, input.poseB) && isDue(input.shapeA.kind, input.shapeB.kind);
  if (HAS_CELLS) {
    input.offset = cellOffset(numbers.x, numbers.y);
  }
  return input;
}

fn loadPose(body: u32) -> PlanarPose {
  let row = poses[body];
  return PlanarPose(row.xy, row.z, row.w);
}

fn loadShape(shape: u32) -> KnownShape {
  return shapeOfRows(shapes[2u * shape], shapes[2u * shape + 1u]);
}

// A shape with what is known of all the pairs that are due. Said where bodies are known to be valid: what compilers see
// of those that are not is no constant.
fn withKnown(shape: KnownShape, kind: u32) -> KnownShape {
  var known = shape;
  if (kind != ANY_KIND) {
    known.kind = kind;
  }
  if (IS_SHARP) {
    known.radius = 0.0;
  }
  return known;
}

// Whether this kernel can answer for shapes of these kinds. A removed shape has a kind that none can.
fn isDue(kindA: u32, kindB: u32) -> bool {
  if (KIND_A == ANY_KIND) {
    return max(kindA, kindB) <= PLANAR_POLYGON;
  }
  return kindA == KIND_A && kindB == KIND_B;
}

fn positionCell(body: u32) -> vec2i {
  let at = parameters.bodyCount + 4u * body;
  return vec2i(vec2u(bodies[at], bodies[at + 1u]));
}

fn positionFraction(body: u32) -> vec2i {
  let at = parameters.bodyCount + 4u * body + 2u;
  return vec2i(vec2u(bodies[at], bodies[at + 1u]));
}

// B's position minus A's, as in kernels/input.wgsl.
fn cellOffset(bodyA: u32, bodyB: u32) -> vec2f {
  let cells = positionCell(bodyB) - positionCell(bodyA);
  let fractions = positionFraction(bodyB) - positionFraction(bodyA);
  let isNear = abs(cells) <= vec2i(1);
  let whole = select(vec2i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec2i(0), isNear);
  return vec2f(whole) * (parameters.cellSize / f32(1u << FRACTION_BITS)) + vec2f(rest) * parameters.cellSize;
}
