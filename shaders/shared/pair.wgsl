// Two bodies in the form that the algorithms use: in A's frame, with the difference of the positions formed first, and
// all lengths in the pair's own unit, in which tolerances are plain numbers. The unit is a power of two, so that
// scaling rounds nothing.

import package::shared::constants::{GREATEST_SIZE, LEAST_UNIT, MIN_QUATERNION_LENGTH_SQUARED};
import package::shared::math::{
  isFiniteFrom, isPositiveUpTo, powerOfTwoBelow, inversePowerOfTwo, conjugate, rotated, rotationMatrix,
  relativeQuaternion, scaleToUnit
};
import package::shared::shapes::{Shape, Pose, Core, CORE_HALFSPACE};

// Whether shapes may have vertices, and with them a middle that is not their body's origin.
override HAS_MIDDLES: bool = false;

struct Pair {
  coreA: Core,
  coreB: Core,
  // Rotates vectors from B's frame to A's.
  rotation: mat3x3f,
  // From A's middle to B's, in A's frame.
  translation: vec3f,
  radiusA: f32,
  radiusB: f32,
  // Length of the pair's unit in the caller's unit.
  unit: f32,
  // A's orientation, near length 1. Four numbers wait for the end of a search, where a matrix would be nine.
  quaternionA: vec4f,
  // From each body's origin to its shape's middle, in A's frame.
  middleA: vec3f,
  middleB: vec3f,
  // Bounds the sum of their lengths. Bounds of contacts take it, so that no kernel keeps `middleB` in registers.
  middleSize: f32,
}

// Checks everything except the position, which matters only as a difference of two.
fn isValidBody(shape: Shape, pose: Pose) -> bool {
  return isFiniteFrom(dot(pose.quaternion, pose.quaternion), bitcast<u32>(MIN_QUATERNION_LENGTH_SQUARED)) &&
    isPositiveUpTo(pose.scale, GREATEST_SIZE) &&
    max(shape.boundingRadius, extentOf(shape)) * pose.scale <= GREATEST_SIZE;
}

// `offset` is B's position minus A's, in world axes.
fn makePair(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, offset: vec3f) -> Pair {
  // Brought near length 1, so that their product neither overflows nor vanishes.
  let quaternionA = poseA.quaternion * scaleToUnit(dot(poseA.quaternion, poseA.quaternion));
  let quaternionB = poseB.quaternion * scaleToUnit(dot(poseB.quaternion, poseB.quaternion));
  // Exactly none between equal orientations, so that the middles of parts of one model cancel.
  let isSame = HAS_MIDDLES && all(quaternionA == quaternionB);
  let relative = select(relativeQuaternion(quaternionA, quaternionB), vec4f(0.0, 0.0, 0.0, 1.0), isSame);
  let rotation = rotationMatrix(relative);
  var between = offset;
  // In A's frame and the caller's unit.
  var middleA = vec3f(0.0);
  var middleB = vec3f(0.0);
  if (HAS_MIDDLES) {
    middleA = shapeA.middle * poseA.scale;
    middleB = rotation * (shapeB.middle * poseB.scale);
    between += rotated(quaternionA, middleB - middleA);
  }
  let extent = extentOf(shapeA) * poseA.scale + extentOf(shapeB) * poseB.scale;
  // The longest component bounds the length to a factor of 1.8 and can't overflow.
  let distance = max(abs(between.x), max(abs(between.y), abs(between.z)));
  let leastUnit = LEAST_UNIT * max(1.0, max(poseA.scale, poseB.scale));
  let unit = powerOfTwoBelow(clamp(max(extent, distance), leastUnit, 1e30));
  let toUnit = inversePowerOfTwo(unit);
  var middleSize = 0.0;
  if (HAS_MIDDLES) {
    middleA *= toUnit;
    middleB *= toUnit;
    // Components can be added where squares could overflow.
    middleSize = dot(abs(middleA) + abs(middleB), vec3f(1.0));
  }
  return Pair(
    makeCore(shapeA, max(poseA.scale * toUnit, LEAST_UNIT)),
    makeCore(shapeB, max(poseB.scale * toUnit, LEAST_UNIT)),
    rotation,
    rotated(conjugate(quaternionA), between * toUnit),
    shapeA.radius * poseA.scale * toUnit,
    shapeB.radius * poseB.scale * toUnit,
    unit,
    quaternionA,
    middleA,
    middleB,
    middleSize,
  );
}

// From a body's origin to its shape's middle, in world axes.
fn middleInWorld(shape: Shape, pose: Pose) -> vec3f {
  let quaternion = pose.quaternion * scaleToUnit(dot(pose.quaternion, pose.quaternion));
  return rotated(quaternion, shape.middle * pose.scale);
}

// What a shape adds to the pair's unit: its size, of a half-space how far its plane is.
fn extentOf(shape: Shape) -> f32 {
  return select(shape.middleRadius, abs(shape.radius), shape.kind == CORE_HALFSPACE);
}

fn makeCore(shape: Shape, scale: f32) -> Core {
  return Core(
    shape.halfExtents * scale, scale, shape.kind, shape.firstRow, shape.vertexCount, shape.firstCellRow,
    shape.cellResolution
  );
}

// From A's frame to the world.
fn worldRotation(pair: Pair) -> mat3x3f {
  return rotationMatrix(pair.quaternionA);
}

fn toWorld(pair: Pair, v: vec3f) -> vec3f {
  return rotated(pair.quaternionA, v);
}

fn fromWorld(pair: Pair, v: vec3f) -> vec3f {
  return rotated(conjugate(pair.quaternionA), v);
}
