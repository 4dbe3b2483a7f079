// What every query kernel reads: parameters, shapes, bodies, pairs, and the list of pairs that wait for this stage.

import package::shared::math::{isFinite3};
import package::shared::pair::{Pair, makePair, isValidPose};
import package::shared::shapes::{Shape, Pose, CORE_BOX, CORE_HULL};

struct Parameters {
  pairCount: u32,
  bodyCount: u32,
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  margin: f32,
  // Edge length of the cells that 64-bit positions are counted in; a power of two.
  cellSize: f32,
}

struct Body {
  // 64-bit positions as fixed-point numbers: whole cells, and 2^-29ths of a cell. Zero for 32-bit positions.
  cell: vec3i,
  shape: u32,
  fraction: vec3i,
}

const FRACTION_BITS: u32 = 29u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<Pose>;
@group(0) @binding(4) var<storage, read> bodies: array<Body>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
// binding 6: results
// Its length, then the pairs that wait, ascending. Not read where every pair is due.
@group(0) @binding(7) var<storage, read> waiting: array<u32>;

override IS_LISTED: bool = false;

const NO_PAIR: u32 = 0xffffffffu;

// The pair that this invocation works on, or NO_PAIR.
fn pairIndex(workgroupId: vec3u, localIndex: u32) -> u32 {
  let index = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (IS_LISTED) {
    if (index >= waiting[0]) {
      return NO_PAIR;
    }
    return waiting[index + 1u];
  }
  return select(NO_PAIR, index, index < parameters.pairCount);
}

struct Input {
  isValid: bool,
  areBoxes: bool,
  pair: Pair,
  shapeA: Shape,
  shapeB: Shape,
}

fn loadInput(index: u32) -> Input {
  var input: Input;
  let numbers = pairs[index];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return input;
  }
  let bodyA = bodies[numbers.x];
  let bodyB = bodies[numbers.y];
  if (max(bodyA.shape, bodyB.shape) >= parameters.shapeCount) {
    return input;
  }
  let poseA = poses[numbers.x];
  let poseB = poses[numbers.y];
  let offset = (poseB.position - poseA.position) + cellOffset(bodyA, bodyB);
  input.shapeA = shapes[bodyA.shape];
  input.shapeB = shapes[bodyB.shape];
  if (!isValidPose(poseA) || !isValidPose(poseB) || !isFinite3(offset) ||
      max(input.shapeA.kind, input.shapeB.kind) > CORE_HULL) {
    return input;
  }
  input.isValid = true;
  input.areBoxes = isBox(input.shapeA) && isBox(input.shapeB);
  input.pair = makePair(input.shapeA, poseA, input.shapeB, poseB, offset);
  return input;
}

// B's position minus A's. Integers subtract exactly wherever the bodies are, and no compiler reassociates them; where the
// cells are the same or neighbours, cells and fractions make one integer before they become a rounded number.
fn cellOffset(a: Body, b: Body) -> vec3f {
  let cells = b.cell - a.cell;
  let fractions = b.fraction - a.fraction;
  let isNear = abs(cells) <= vec3i(1);
  let whole = select(vec3i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec3i(0), isNear);
  return vec3f(whole) * (parameters.cellSize / f32(1u << FRACTION_BITS)) + vec3f(rest) * parameters.cellSize;
}

fn isBox(shape: Shape) -> bool {
  return shape.kind == CORE_BOX;
}
