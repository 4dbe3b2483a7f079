// Loads the two bodies of a pair in 2-D: their shapes and poses. The input may be unchecked, as in 3-D.

import package::kernels::parameters::{parameters, bodyShapes, pairs, ANY_KIND, HAS_FIXED_POINT, KIND_A, KIND_B};
import package::shared::constants::{FRACTION_BITS, GREATEST_POSITION, PART_KIND_SHIFT};
import package::shared::geometry::{HAS_PARTS};
import package::shared::math::{isWithin};
import package::planar::pair::{HAS_MIDDLES, PlanarPair, isValidBody, makePair};
import package::planar::support::{ARE_SMALL, SMALL_POLYGON};
import package::planar::shapes::{SpecialisedShape, PlanarPose, PLANAR_POLYGON, shapeOfRows};
import package::shared::shapes::{CORE_PARTS};

// Rows of PlanarShape and PlanarPose: loading a whole row costs little more than loading one number.
@group(0) @binding(1) var<storage, read> shapeRecords: array<vec4u>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;

// Whether no shape of the pairs is rounded.
override IS_SHARP: bool = false;
// The first stage: one of PLANAR_STAGE_ in planar/queries/signed-distance.wgsl.
override LEAD_STAGE: u32 = 0u;
// The depth that MPR computes: one of PLANAR_MPR_ in planar/mpr.wgsl.
override MPR_DEPTH: u32 = 0u;

// A pair as the algorithms take it.
struct LoadedPair {
  isValid: bool,
  pair: PlanarPair,
}

fn loadPair(index: u32) -> LoadedPair {
  let bodies = loadBodies(index);
  var loaded: LoadedPair;
  if (bodies.isValid) {
    let shapeA = specialise(bodies.shapeA, KIND_A);
    let shapeB = specialise(bodies.shapeB, KIND_B);
    loaded = LoadedPair(true, makePair(shapeA, bodies.poseA, shapeB, bodies.poseB, bodies.offset, 0.0));
  }
  return loaded;
}

// The two bodies of a pair, in world space.
struct BodyPair {
  isValid: bool,
  // Indices of the two bodies.
  numbers: vec2u,
  shapeA: SpecialisedShape,
  shapeB: SpecialisedShape,
  poseA: PlanarPose,
  poseB: PlanarPose,
  // B's position minus A's.
  offset: vec2f,
}

fn loadBodies(index: u32) -> BodyPair {
  var loaded: BodyPair;
  let numbers = pairs[select(index, 2u * index, HAS_PARTS)];
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return loaded;
  }
  let shapeNumbers = vec2u(bodyShapes[numbers.x], bodyShapes[numbers.y]);
  if (max(shapeNumbers.x, shapeNumbers.y) >= parameters.shapeCount) {
    return loaded;
  }
  loaded.numbers = numbers;
  loaded.poseA = loadPose(numbers.x);
  loaded.poseB = loadPose(numbers.y);
  loaded.shapeA = loadPart(index, 0u, loadShape(shapeNumbers.x));
  loaded.shapeB = loadPart(index, 1u, loadShape(shapeNumbers.y));
  // Finite only if both positions are.
  loaded.offset = loaded.poseB.position - loaded.poseA.position;
  loaded.isValid =
      isWithin(loaded.offset.x, 2.0 * GREATEST_POSITION) && isWithin(loaded.offset.y, 2.0 * GREATEST_POSITION) &&
      isValidBody(loaded.shapeA, loaded.poseA) && isValidBody(loaded.shapeB, loaded.poseB) &&
      handlesKinds(loaded.shapeA.kind, loaded.shapeB.kind) &&
      !(ARE_SMALL && max(loaded.shapeA.cornerCount, loaded.shapeB.cornerCount) > SMALL_POLYGON);
  if (HAS_FIXED_POINT) {
    loaded.offset = cellOffset(numbers.x, numbers.y);
  }
  return loaded;
}

fn loadPose(body: u32) -> PlanarPose {
  let row = poses[body];
  return PlanarPose(row.xy, row.z, row.w);
}

fn loadShape(shape: u32) -> SpecialisedShape {
  let row = shapeRecords[3u * shape];
  var last = vec4u(0u, 0u, row.z, 0u);
  if (HAS_MIDDLES) {
    last = shapeRecords[3u * shape + 2u];
  }
  return shapeOfRows(row, shapeRecords[3u * shape + 1u], last);
}

// The part of a compound or a chain that a pair of parts names. It has the pose of its body.
fn loadPart(index: u32, side: u32, body: SpecialisedShape) -> SpecialisedShape {
  if (!HAS_PARTS || body.kind != CORE_PARTS) {
    return body;
  }
  let part = pairs[2u * index + 1u][side] & ((1u << PART_KIND_SHIFT) - 1u);
  return loadShape(body.firstRow + part);
}

// A shape with the facts that hold for all selected pairs put in as constants. Called only after bodies have been found
// valid: before that, the compiler can't treat these values as constants.
fn specialise(shape: SpecialisedShape, kind: u32) -> SpecialisedShape {
  var specialised = shape;
  if (kind != ANY_KIND) {
    specialised.kind = kind;
  }
  if (IS_SHARP) {
    specialised.radius = 0.0;
  }
  return specialised;
}

// Whether this kernel can answer for shapes of these kinds. No kernel can for the kind of a removed shape.
fn handlesKinds(kindA: u32, kindB: u32) -> bool {
  if (KIND_A == ANY_KIND) {
    return max(kindA, kindB) <= PLANAR_POLYGON;
  }
  return kindA == KIND_A && kindB == KIND_B;
}

fn positionCell(body: u32) -> vec2i {
  let at = parameters.bodyCount + 4u * body;
  return vec2i(vec2u(bodyShapes[at], bodyShapes[at + 1u]));
}

fn positionFraction(body: u32) -> vec2i {
  let at = parameters.bodyCount + 4u * body + 2u;
  return vec2i(vec2u(bodyShapes[at], bodyShapes[at + 1u]));
}

// B's position minus A's, as in kernels/load-pair.wgsl.
fn cellOffset(bodyA: u32, bodyB: u32) -> vec2f {
  let cells = positionCell(bodyB) - positionCell(bodyA);
  let fractions = positionFraction(bodyB) - positionFraction(bodyA);
  let isNear = abs(cells) <= vec2i(1);
  let whole = select(vec2i(0), cells, isNear) * (1 << FRACTION_BITS) + fractions;
  let rest = select(cells, vec2i(0), isNear);
  return vec2f(whole) * (parameters.cellSize / f32(1u << FRACTION_BITS)) + vec2f(rest) * parameters.cellSize;
}
