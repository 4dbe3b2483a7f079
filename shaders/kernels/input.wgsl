// What every query kernel reads: parameters, shapes, bodies, pairs, and which of the pairs are its own.

import package::shared::list::{LIST_HEADER};
import package::shared::math::{isFinite3};
import package::shared::pair::{Pair, makePair, isValidPose};
import package::shared::shapes::{Shape, Pose, CORE_BOX, CORE_HULL, CORE_ELLIPSOID, CORE_HALFSPACE};
import package::shared::support::{HAS_CURVED};

struct Parameters {
  pairCount: u32,
  // Pairs that there is room for: more of them are left out.
  pairCapacity: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  margin: f32,
  // Seconds of a motion.
  duration: f32,
  // Edge length of the cells that 64-bit positions are counted in; a power of two.
  cellSize: f32,
  // The classes of the list that are due, from the first up to one before the end.
  firstClass: u32,
  endClass: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<Pose>;
// Each body's shape, then, with HAS_CELLS, its position as fixed-point numbers: three whole cells, three 2^-29ths of a cell.
@group(0) @binding(4) var<storage, read> bodies: array<u32>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
// binding 6: results
// Pairs by class, as list-scatter leaves them. Not read where every pair is due.
@group(0) @binding(7) var<storage, read> list: array<u32>;

override HAS_CELLS: bool = false;
override IS_LISTED: bool = false;
// The kinds of shapes of all pairs that are due, ANY_KIND, or ANY_BOX for boxes, segments and points: known ones fold `support` and all
// that asks for kinds.
override KIND_A: u32 = 0xffu;
override KIND_B: u32 = 0xffu;
// Whether no shape of theirs is rounded.
override IS_SHARP: bool = false;

const ANY_KIND: u32 = 0xffu;
const ANY_BOX: u32 = 0xfeu;
const FRACTION_BITS: u32 = 29u;
const NO_PAIR: u32 = 0xffffffffu;

// The pair that this invocation works on, or NO_PAIR.
fn pairIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  let index = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (IS_LISTED) {
    let slot = list[parameters.firstClass] + index;
    if (slot >= list[parameters.endClass]) {
      return NO_PAIR;
    }
    return list[LIST_HEADER + slot];
  }
  return select(NO_PAIR, index, index < min(parameters.pairCount, parameters.pairCapacity));
}

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
  // Finite only if both positions are.
  var offset = poseB.position - poseA.position;
  let isValid = isFinite3(offset) && isValidPose(poseA) && isValidPose(poseB);
  if (HAS_CELLS) {
    offset = cellOffset(numbers.x, numbers.y);
  }
  input.shapeA = shapes[shapeNumbers.x];
  input.shapeB = shapes[shapeNumbers.y];
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

// B's position minus A's. Integers subtract exactly wherever the bodies are, and no compiler reassociates them; where the
// cells are the same or neighbours, cells and fractions make one integer before they become a rounded number.
fn cellOffset(bodyA: u32, bodyB: u32) -> vec3f {
  let cells = positionCell(bodyB) - positionCell(bodyA);
  let fractions = positionFraction(bodyB) - positionFraction(bodyA);
  let isNear = abs(cells) <= vec3i(1);
  let whole = select(vec3i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec3i(0), isNear);
  return vec3f(whole) * (parameters.cellSize / f32(1u << FRACTION_BITS)) + vec3f(rest) * parameters.cellSize;
}
