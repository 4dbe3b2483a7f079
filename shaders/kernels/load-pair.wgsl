// Loads the two bodies of a pair in 3-D: their shapes and poses.
//
// The input may be unchecked (src/gpu/input.ts). Then a number can have any value, and answers are void. So
// loops must be bounded by constants or by the records of shapes, and shapes that a kernel was not compiled for are
// refused.

import package::kernels::parameters::{parameters, bodyShapes, pairs, ANY_KIND, HAS_FIXED_POINT, KIND_A, KIND_B};
import package::shared::adapter::{UNROLLS_LOADS};
import package::shared::constants::{GREATEST_POSITION, PART_KIND_SHIFT};
import package::shared::fixed-point::{fixedPointOffset};
import package::shared::geometry::{HAS_PARTS, TRIANGLE_ROWS, geometryPlane, geometryRow, geometryVector};
import package::shared::math::{isWithin3, quaternionProduct, scaleToUnit};
import package::shared::pair::{HAS_MIDDLES, Pair, makePair, isValidBody};
import package::shared::shapes::{
  Shape, Pose, CORE_BOX, CORE_HULL, CORE_ELLIPSOID, CORE_HALFSPACE, CORE_PARTS, CORE_TRIANGLE
};
import package::shared::support::{HAS_CURVED};
import package::shared::support-of-polytope::{SMALL_HULL, SMALL_HULLS};

// Rows of Shape and Pose: software adapters compile a load of a row faster than loads of its numbers.
@group(0) @binding(1) var<storage, read> shapeRecords: array<vec4u>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<vec4f>;

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
  if (max(KIND_A, KIND_B) <= CORE_BOX) {
    // Of invalid pairs too: otherwise, compilers can't treat these as constants. Kernels of hulls would look for the
    // vertices of an invalid pair.
    loaded.shapeA.kind = KIND_A;
    loaded.shapeB.kind = KIND_B;
    loaded.pair.coreA.kind = KIND_A;
    loaded.pair.coreB.kind = KIND_B;
  }
  return loaded;
}

// The two bodies of a pair, in world space. Of an invalid pair, they may be any.
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
  let numbers = pairs[select(index, 2u * index, HAS_PARTS)];
  var areThere = max(numbers.x, numbers.y) < parameters.bodyCount;
  // Compilers don't know how many steps this has, unless it is to be unrolled. A number that is out of range reads
  // another row or zeros, as WebGPU guarantees.
  let sides = select(select(0u, 2u, areThere), 2u, UNROLLS_LOADS);
  var body = numbers.x;
  for (var side = 0u; side < sides; side++) {
    let number = bodyShapes[body];
    areThere &= number < parameters.shapeCount;
    loaded.shapeA = loaded.shapeB;
    loaded.poseA = loaded.poseB;
    loaded.shapeB = loadShape(number);
    loaded.poseB = loadPose(body);
    if (HAS_PARTS && loaded.shapeB.kind == CORE_PARTS) {
      areThere &= isValidBody(loaded.shapeB, loaded.poseB);
      let part = pairs[2u * index + 1u][side] & ((1u << PART_KIND_SHIFT) - 1u);
      let placed = partOf(loaded.shapeB, loaded.poseB, part);
      loaded.shapeB = placed.shape;
      loaded.poseB = placed.pose;
    }
    body = numbers.y;
  }
  if (!areThere) {
    return loaded;
  }
  loaded.numbers = numbers;
  // Finite only if both positions are.
  var offset = loaded.poseB.position - loaded.poseA.position;
  let isValid = isWithin3(offset, 2.0 * GREATEST_POSITION) &&
      isValidBody(loaded.shapeA, loaded.poseA) && isValidBody(loaded.shapeB, loaded.poseB);
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
  loaded.offset = offset;
  return loaded;
}

struct PlacedPart {
  shape: Shape,
  pose: Pose,
}

// A part of a compound or a mesh as a body of its own, at its body's position: where it is from there is in the middle
// of its shape.
fn partOf(body: Shape, pose: Pose, part: u32) -> PlacedPart {
  if (body.faceCount == 0u) {
    let row = body.firstRow + TRIANGLE_ROWS * part;
    let a = geometryVector(row);
    let b = geometryVector(row + 1u);
    let c = geometryVector(row + 2u);
    let place = geometryRow(row + 3u).zw;
    let rest = geometryRow(row + 4u).zw;
    let middle = bitcast<vec3f>(vec3u(place, rest.x));
    let radius = max(length(a), max(length(b), length(c)));
    return PlacedPart(
      Shape(
        (a + b + c) / 3.0, 0.0, length(middle) + radius, CORE_TRIANGLE, row, 3u, 3u, rest.y, 0u, 0u, middle, radius
      ),
      pose
    );
  }
  let row = body.firstRow + 2u * part;
  let quaternion = pose.quaternion * scaleToUnit(dot(pose.quaternion, pose.quaternion));
  return PlacedPart(
    loadShape(body.faceCount + part),
    Pose(pose.position, pose.scale * geometryPlane(row + 1u).x, quaternionProduct(quaternion, geometryPlane(row)))
  );
}

fn loadPose(body: u32) -> Pose {
  let place = poses[2u * body];
  return Pose(place.xyz, place.w, poses[2u * body + 1u]);
}

fn loadShape(number: u32) -> Shape {
  let size = shapeRecords[4u * number];
  let kind = shapeRecords[4u * number + 1u];
  let counts = shapeRecords[4u * number + 2u];
  let boundingRadius = bitcast<f32>(kind.x);
  var place = vec4f(vec3f(0.0), boundingRadius);
  if (HAS_MIDDLES) {
    place = bitcast<vec4f>(shapeRecords[4u * number + 3u]);
  }
  return Shape(
    bitcast<vec3f>(size.xyz), bitcast<f32>(size.w), boundingRadius, kind.y, kind.z, kind.w, counts.x, counts.y,
    counts.z, counts.w, place.xyz, place.w
  );
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
