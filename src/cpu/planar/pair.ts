/** Mirror of shaders/planar/pair.wgsl: two bodies in 2-D in A's frame, in a unit of the pair's own. */
import { LEAST_UNIT } from '../../generated/constants.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { powerOfTwoBelow } from '../math.ts';
import { type Vec2, rotate, rotateBack, scale, set, setRotation, vec2 } from './math.ts';

/** A body's pose: `angle` in radians, counter-clockwise. */
export interface PlanarPose {
  scale: number;
  angle: number;
}

/** A shape's core in its body's frame, in the pair's unit of length. */
export interface PlanarCore {
  /** Scaled; of the core, as its kind says. */
  data: Float64Array;
  /** Factor from the shape's corners to the pair's unit. */
  scale: number;
  kind: number;
  /** The unscaled shape. Polygons use its corners, all cores the numbers of its points. */
  shape: PlanarShapeData;
}

export interface PlanarPair {
  coreA: PlanarCore;
  coreB: PlanarCore;
  /** Takes vectors from B's frame to A's. */
  rotation: Vec2;
  /** B's origin in A's frame. */
  translation: Vec2;
  radiusA: number;
  radiusB: number;
  /** Length of the pair's unit in the caller's. */
  unit: number;
  /** Takes vectors from A's frame to the world. */
  rotationA: Vec2;
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
  };
}

function createCore(): PlanarCore {
  return { data: new Float64Array(4), scale: 1, kind: 0, shape: undefined as unknown as PlanarShapeData };
}

const rotationB = vec2();

/**
 * `offset` is B's position minus A's, in world axes. `least`: a length that is no longer than a few units, either; or
 * 0.
 */
export function makePair(
  shapeA: PlanarShapeData,
  poseA: PlanarPose,
  shapeB: PlanarShapeData,
  poseB: PlanarPose,
  offset: Vec2,
  least: number,
  to: PlanarPair,
): PlanarPair {
  const extent = shapeA.boundingRadius * poseA.scale + shapeB.boundingRadius * poseB.scale;
  const distance = Math.max(Math.abs(offset.x), Math.abs(offset.y), least);
  const leastUnit = LEAST_UNIT * Math.max(1, poseA.scale, poseB.scale);
  const unit = powerOfTwoBelow(Math.min(Math.max(extent, distance, leastUnit), 1e30));
  const toUnit = 1 / unit;
  to.unit = unit;
  makeCore(shapeA, poseA.scale * toUnit, to.coreA);
  makeCore(shapeB, poseB.scale * toUnit, to.coreB);
  setRotation(poseA.angle, to.rotationA);
  rotateBack(to.rotationA, setRotation(poseB.angle, rotationB), to.rotation);
  rotateBack(to.rotationA, scale(offset, toUnit, to.translation), to.translation);
  to.radiusA = shapeA.radius * poseA.scale * toUnit;
  to.radiusB = shapeB.radius * poseB.scale * toUnit;
  return to;
}

function makeCore(shape: PlanarShapeData, factor: number, to: PlanarCore): void {
  for (let i = 0; i < 4; i++) to.data[i] = shape.data[i] * factor;
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
