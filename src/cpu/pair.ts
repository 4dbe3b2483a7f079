/** Mirror of shaders/shared/pair.wgsl: two bodies in A's frame, in a unit of the pair's own. */
import { LEAST_UNIT } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { NO_CELLS, type SupportCells } from '../shapes/support-cells.ts';
import {
  type Mat3,
  type Vec3,
  powerOfTwoBelow,
  relativeQuaternion,
  rotationMatrix,
  scale,
  transformBack,
  vec3,
} from './math.ts';

/** A body's pose: the quaternion x, y, z, w has any length of at least 1e-6. */
export interface Pose {
  scale: number;
  quaternion: ArrayLike<number>;
}

/** A shape's core in its body's frame, in the pair's unit of length. */
export interface Core {
  /** x, y, z */
  halfExtents: Float64Array;
  /** Factor from the shape's vertices to the pair's unit. */
  scale: number;
  kind: number;
  /** x, y, z of each vertex of a hull, unscaled. */
  vertices: Float64Array;
  /** Which of them can be its support, by direction. */
  supportCells: SupportCells;
}

export interface Pair {
  coreA: Core;
  coreB: Core;
  /** Takes vectors from B's frame to A's. */
  rotation: Mat3;
  /** B's origin in A's frame. */
  translation: Vec3;
  radiusA: number;
  radiusB: number;
  /** Length of the pair's unit in the caller's. */
  unit: number;
  /** Takes vectors from A's frame to the world. */
  rotationA: Mat3;
}

export function createPair(): Pair {
  return {
    coreA: createCore(),
    coreB: createCore(),
    rotation: new Float64Array(9),
    translation: vec3(),
    radiusA: 0,
    radiusB: 0,
    unit: 1,
    rotationA: new Float64Array(9),
  };
}

export function createCore(): Core {
  return { halfExtents: new Float64Array(3), scale: 1, kind: 0, vertices: new Float64Array(0), supportCells: NO_CELLS };
}

const relative = new Float64Array(4);

/** `offset` is B's position minus A's, in world axes. */
export function makePair(shapeA: ShapeData, poseA: Pose, shapeB: ShapeData, poseB: Pose, offset: Vec3, to: Pair): Pair {
  const extent = shapeA.extent * poseA.scale + shapeB.extent * poseB.scale;
  const between = Math.max(Math.abs(offset.x), Math.abs(offset.y), Math.abs(offset.z));
  const leastUnit = LEAST_UNIT * Math.max(1, poseA.scale, poseB.scale);
  const unit = powerOfTwoBelow(Math.min(Math.max(extent, between, leastUnit), 1e30));
  const toUnit = 1 / unit;
  to.unit = unit;
  makeCore(shapeA, Math.max(poseA.scale * toUnit, LEAST_UNIT), to.coreA);
  makeCore(shapeB, Math.max(poseB.scale * toUnit, LEAST_UNIT), to.coreB);
  rotationMatrix(poseA.quaternion, to.rotationA);
  rotationMatrix(relativeQuaternion(poseA.quaternion, poseB.quaternion, relative), to.rotation);
  transformBack(to.rotationA, scale(offset, toUnit, to.translation), to.translation);
  to.radiusA = shapeA.radius * poseA.scale * toUnit;
  to.radiusB = shapeB.radius * poseB.scale * toUnit;
  return to;
}

/** Makes a shape's core. `factor`: from the shape's unit to the core's. */
export function makeCore(shape: ShapeData, factor: number, to: Core): void {
  to.halfExtents[0] = shape.halfExtents[0] * factor;
  to.halfExtents[1] = shape.halfExtents[1] * factor;
  to.halfExtents[2] = shape.halfExtents[2] * factor;
  to.scale = factor;
  to.kind = shape.kind;
  to.vertices = shape.vertices;
  to.supportCells = shape.supportCells;
}
