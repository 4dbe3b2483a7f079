// Two bodies in 2-D as the algorithms see them: in A's frame, the difference of the positions formed first, all
// lengths in a unit of the pair's own (a power of two, so that nothing is rounded) in which tolerances are plain
// numbers.

import package::shared::constants::{GREATEST_SIZE, LEAST_UNIT};
import package::shared::math::{cosineAndSine, isPositiveUpTo, isWithin, powerOfTwoBelow, inversePowerOfTwo};
import package::planar::math::{rotate, rotateBack};
import package::planar::shapes::{SpecialisedShape, PlanarPose, PlanarCore};

struct PlanarPair {
  coreA: PlanarCore,
  coreB: PlanarCore,
  // Takes vectors from B's frame to A's.
  rotation: vec2f,
  // B's origin in A's frame.
  translation: vec2f,
  radiusA: f32,
  radiusB: f32,
  // Length of the pair's unit in the caller's.
  unit: f32,
  // Takes vectors from A's frame to the world.
  rotationA: vec2f,
}

// Radians either way: the host brings angles into half a turn, and other buffers' may be so large before sine and
// cosine lose digits.
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
  let extent = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  let between = max(max(abs(offset.x), abs(offset.y)), least);
  let leastUnit = LEAST_UNIT * max(1.0, max(poseA.scale, poseB.scale));
  let unit = powerOfTwoBelow(clamp(max(extent, between), leastUnit, 1e30));
  let toUnit = inversePowerOfTwo(unit);
  return PlanarPair(
    makeCore(shapeA, poseA.scale * toUnit),
    makeCore(shapeB, poseB.scale * toUnit),
    rotateBack(rotationA, cosineAndSine(poseB.angle)),
    rotateBack(rotationA, offset * toUnit),
    shapeA.radius * poseA.scale * toUnit,
    shapeB.radius * poseB.scale * toUnit,
    unit,
    rotationA,
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
