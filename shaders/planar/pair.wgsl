// Two bodies in 2-D as the algorithms see them: in A's frame, the difference of the positions formed first, all
// lengths in a unit of the pair's own (a power of two, so that nothing is rounded) in which tolerances are plain
// numbers.

import package::shared::constants::{GREATEST_SIZE, LEAST_UNIT};
import package::shared::math::{cosineAndSine, isPositiveUpTo, isWithin, powerOfTwoBelow, inversePowerOfTwo};
import package::planar::math::{rotate, rotateBack};
import package::planar::shapes::{SpecialisedShape, PlanarPose, PlanarCore};

// Whether shapes may be segments or polygons, which may have a middle that is not their body's origin.
override HAS_MIDDLES: bool = false;

struct PlanarPair {
  coreA: PlanarCore,
  coreB: PlanarCore,
  // Takes vectors from B's frame to A's.
  rotation: vec2f,
  // From A's middle to B's, in A's frame.
  translation: vec2f,
  radiusA: f32,
  radiusB: f32,
  // Length of the pair's unit in the caller's.
  unit: f32,
  // Takes vectors from A's frame to the world.
  rotationA: vec2f,
  // From each body's origin to its shape's middle, in A's frame.
  middleA: vec2f,
  middleB: vec2f,
}

// Radians either way: angles that the package packs are within half a turn, and other buffers' may be so large before
// sine and cosine lose digits.
const MOST_ANGLE: f32 = 8192.0;

// Apart from the position, which nobody uses without another's.
fn isValidBody(shape: SpecialisedShape, pose: PlanarPose) -> bool {
  return isWithin(pose.angle, MOST_ANGLE) && isPositiveUpTo(pose.scale, GREATEST_SIZE) &&
      shape.boundingRadius * pose.scale <= GREATEST_SIZE;
}

// `offset` is B's position minus A's, in world axes. `least`: a length that is no longer than a few units, either; or
// 0.
fn makePair(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, offset: vec2f, least: f32
) -> PlanarPair {
  let rotationA = cosineAndSine(poseA.angle);
  let rotationB = cosineAndSine(poseB.angle);
  return rotatedPair(shapeA, poseA.scale, rotationA, shapeB, poseB.scale, rotationB, offset, least);
}

// The same with rotations in place of angles.
fn rotatedPair(
  shapeA: SpecialisedShape, scaleA: f32, rotationA: vec2f, shapeB: SpecialisedShape, scaleB: f32, rotationB: vec2f,
  offset: vec2f, least: f32
) -> PlanarPair {
  // Exactly none between equal orientations, so that the middles of parts of one model cancel.
  let isSame = HAS_MIDDLES && all(rotationA == rotationB);
  let rotation = select(rotateBack(rotationA, rotationB), vec2f(1.0, 0.0), isSame);
  var between = offset;
  // In A's frame and the caller's unit.
  var middleA = vec2f(0.0);
  var middleB = vec2f(0.0);
  if (HAS_MIDDLES) {
    middleA = shapeA.middle * scaleA;
    middleB = rotate(rotation, shapeB.middle * scaleB);
    between += rotate(rotationA, middleB - middleA);
  }
  let extent = shapeA.middleRadius * scaleA + shapeB.middleRadius * scaleB;
  let distance = max(max(abs(between.x), abs(between.y)), least);
  let leastUnit = LEAST_UNIT * max(1.0, max(scaleA, scaleB));
  let unit = powerOfTwoBelow(clamp(max(extent, distance), leastUnit, 1e30));
  let toUnit = inversePowerOfTwo(unit);
  if (HAS_MIDDLES) {
    middleA *= toUnit;
    middleB *= toUnit;
  }
  return PlanarPair(
    makeCore(shapeA, scaleA * toUnit),
    makeCore(shapeB, scaleB * toUnit),
    rotation,
    rotateBack(rotationA, between * toUnit),
    shapeA.radius * scaleA * toUnit,
    shapeB.radius * scaleB * toUnit,
    unit,
    rotationA,
    middleA,
    middleB,
  );
}

fn makeCore(shape: SpecialisedShape, scale: f32) -> PlanarCore {
  return PlanarCore(shape.data * scale, scale, shape.kind, shape.firstRow, shape.cornerCount, shape.hasWideAngles);
}

// From B's frame to A's.
fn fromB(pair: PlanarPair, point: vec2f) -> vec2f {
  return rotate(pair.rotation, point) + pair.translation;
}

fn toWorld(pair: PlanarPair, v: vec2f) -> vec2f {
  return rotate(pair.rotationA, v);
}

// A point in A's frame, from A's middle, as a vector from A's position in world axes and the caller's unit.
fn placeInWorld(pair: PlanarPair, point: vec2f) -> vec2f {
  if (HAS_MIDDLES) {
    return toWorld(pair, point + pair.middleA) * pair.unit;
  }
  return toWorld(pair, point) * pair.unit;
}
