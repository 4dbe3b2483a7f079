/** Mirror of shaders/planar/pair.wgsl: two bodies in 2-D in A's frame, in a unit of the pair's own. */
import { LEAST_UNIT } from '../../generated/constants.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { powerOfTwoBelow } from '../math.ts';
import { type Vec2, addScaled, copy, rotate, rotateBack, scale, set, setRotation, subtract, vec2 } from './math.ts';

/** A body's pose: `angle` in radians, counter-clockwise. */
export interface PlanarPose {
  scale: number;
  angle: number;
}

/** Two bodies. */
export interface BodyPair {
  shapeA: PlanarShapeData;
  poseA: PlanarPose;
  shapeB: PlanarShapeData;
  poseB: PlanarPose;
}

/** A shape's core in its body's frame, about the shape's middle, in the pair's unit of length. */
export interface PlanarCore {
  /** Scaled; of the core, as its kind says. */
  data: Float64Array;
  /** Factor from the shape's corners to the pair's unit. */
  scale: number;
  kind: number;
  /** The unscaled shape. Polygons use its corners from the middle, all cores the numbers of its points. */
  shape: PlanarShapeData;
}

export interface PlanarPair {
  coreA: PlanarCore;
  coreB: PlanarCore;
  /** Takes vectors from B's frame to A's. */
  rotation: Vec2;
  /** From A's middle to B's, in A's frame. */
  translation: Vec2;
  radiusA: number;
  radiusB: number;
  /** Length of the pair's unit in the caller's. */
  unit: number;
  /** Takes vectors from A's frame to the world. */
  rotationA: Vec2;
  /** From each body's origin to its shape's middle, in A's frame. */
  middleA: Vec2;
  middleB: Vec2;
}

export function createPlanarPair(): PlanarPair {
  return {
    coreA: createCore(),
    coreB: createCore(),
    rotation: vec2(1, 0),
    translation: vec2(),
    radiusA: 0,
    radiusB: 0,
    unit: 1,
    rotationA: vec2(1, 0),
    middleA: vec2(),
    middleB: vec2(),
  };
}

function createCore(): PlanarCore {
  return { data: new Float64Array(4), scale: 1, kind: 0, shape: undefined as unknown as PlanarShapeData };
}

const ofA = vec2();
const ofB = vec2();
const between = vec2();

/**
 * `offset` is B's position minus A's, in world axes. `least`: a length that is no longer than a few units, either; or
 * 0.
 */
export function makePair(bodies: BodyPair, offset: Vec2, least: number, to: PlanarPair): PlanarPair {
  setRotation(bodies.poseA.angle, ofA);
  setRotation(bodies.poseB.angle, ofB);
  return rotatedPair(bodies, ofA, ofB, offset, least, to);
}

/** The same with rotations in place of angles. */
export function rotatedPair(
  { shapeA, poseA: { scale: scaleA }, shapeB, poseB: { scale: scaleB } }: BodyPair,
  rotationA: Vec2,
  rotationB: Vec2,
  offset: Vec2,
  least: number,
  to: PlanarPair,
): PlanarPair {
  const { middleA, middleB } = to;
  copy(rotationA, to.rotationA);
  rotateBack(rotationA, rotationB, to.rotation);
  set(shapeA.middle[0] * scaleA, shapeA.middle[1] * scaleA, middleA);
  rotate(to.rotation, set(shapeB.middle[0] * scaleB, shapeB.middle[1] * scaleB, middleB), middleB);
  addScaled(offset, rotate(to.rotationA, subtract(middleB, middleA, between), between), 1, between);
  const extent = shapeA.middleRadius * scaleA + shapeB.middleRadius * scaleB;
  const distance = Math.max(Math.abs(between.x), Math.abs(between.y), least);
  const leastUnit = LEAST_UNIT * Math.max(1, scaleA, scaleB);
  const unit = powerOfTwoBelow(Math.min(Math.max(extent, distance, leastUnit), 1e30));
  const toUnit = 1 / unit;
  to.unit = unit;
  makeCore(shapeA, scaleA * toUnit, to.coreA);
  makeCore(shapeB, scaleB * toUnit, to.coreB);
  rotateBack(to.rotationA, scale(between, toUnit, to.translation), to.translation);
  to.radiusA = shapeA.radius * scaleA * toUnit;
  to.radiusB = shapeB.radius * scaleB * toUnit;
  scale(middleA, toUnit, middleA);
  scale(middleB, toUnit, middleB);
  return to;
}

function makeCore(shape: PlanarShapeData, factor: number, to: PlanarCore): void {
  for (let i = 0; i < 4; i++) to.data[i] = shape.coreData[i] * factor;
  to.scale = factor;
  to.kind = shape.kind;
  to.shape = shape;
}

/** From B's frame to A's. */
export function fromB({ rotation, translation }: PlanarPair, point: Vec2, to: Vec2): Vec2 {
  rotate(rotation, point, to);
  return set(to.x + translation.x, to.y + translation.y, to);
}

export function toWorld(pair: PlanarPair, v: Vec2, to: Vec2): Vec2 {
  return rotate(pair.rotationA, v, to);
}

/** Writes the vector from a body's origin to its shape's middle, in world axes. */
export function middleInWorld({ middle }: PlanarShapeData, { scale: size, angle }: PlanarPose, to: Vec2): Vec2 {
  setRotation(angle, ofA);
  return rotate(ofA, set(middle[0] * size, middle[1] * size, to), to);
}

/** Writes a point in A's frame, from A's middle, as a vector from A's position in world axes and the caller's unit. */
export function placeInWorld(pair: PlanarPair, point: Vec2, to: Vec2): Vec2 {
  return toWorld(pair, scale(addScaled(point, pair.middleA, 1, to), pair.unit, to), to);
}
