/** Mirror of shaders/shared/pair.wgsl: two bodies in A's frame, in a unit of the pair's own. */
import { CORE_HALFSPACE, LEAST_UNIT } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { NO_CELLS, type SupportCells } from '../shapes/support-cells.ts';
import {
  type Mat3,
  type Vec3,
  addScaled,
  copy,
  powerOfTwoBelow,
  relativeQuaternion,
  rotationMatrix,
  scale,
  set,
  subtract,
  transform,
  transformBack,
  vec3,
} from './math.ts';

/** A body's pose: the quaternion x, y, z, w has any length of at least 1e-6. */
export interface Pose {
  scale: number;
  quaternion: ArrayLike<number>;
}

/** A shape's core in its body's frame, about the shape's middle, in the pair's unit of length. */
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
  /** From A's middle to B's, in A's frame. */
  translation: Vec3;
  radiusA: number;
  radiusB: number;
  /** Length of the pair's unit in the caller's. */
  unit: number;
  /** Takes vectors from A's frame to the world. */
  rotationA: Mat3;
  /** From each body's origin to its shape's middle, in A's frame. */
  middleA: Vec3;
  middleB: Vec3;
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
    middleA: vec3(),
    middleB: vec3(),
  };
}

export function createCore(): Core {
  return { halfExtents: new Float64Array(3), scale: 1, kind: 0, vertices: new Float64Array(0), supportCells: NO_CELLS };
}

const relative = new Float64Array(4);

/** `offset` is B's position minus A's, in world axes. */
export function makePair(shapeA: ShapeData, poseA: Pose, shapeB: ShapeData, poseB: Pose, offset: Vec3, to: Pair): Pair {
  const { translation } = to;
  rotationMatrix(poseA.quaternion, to.rotationA);
  rotationMatrix(relativeQuaternion(poseA.quaternion, poseB.quaternion, relative), to.rotation);
  const isCentred = isMiddleAtOrigin(shapeA) && isMiddleAtOrigin(shapeB);
  copy(offset, translation);
  if (!isCentred) placeMiddles(shapeA, poseA.scale, shapeB, poseB.scale, offset, to);
  const extent = extentOf(shapeA) * poseA.scale + extentOf(shapeB) * poseB.scale;
  const distance = Math.max(Math.abs(translation.x), Math.abs(translation.y), Math.abs(translation.z));
  const leastUnit = LEAST_UNIT * Math.max(1, poseA.scale, poseB.scale);
  const unit = powerOfTwoBelow(Math.min(Math.max(extent, distance, leastUnit), 1e30));
  const toUnit = 1 / unit;
  to.unit = unit;
  makeCore(shapeA, Math.max(poseA.scale * toUnit, LEAST_UNIT), to.coreA);
  makeCore(shapeB, Math.max(poseB.scale * toUnit, LEAST_UNIT), to.coreB);
  transformBack(to.rotationA, scale(translation, toUnit, translation), translation);
  if (isCentred) clearMiddles(to);
  else scaleMiddles(to, toUnit);
  to.radiusA = shapeA.radius * poseA.scale * toUnit;
  to.radiusB = shapeB.radius * poseB.scale * toUnit;
  return to;
}

/** What a shape adds to the pair's unit: its size, of a half-space how far its plane is. */
function extentOf({ kind, extent, middleRadius }: ShapeData): number {
  return kind === CORE_HALFSPACE ? extent : middleRadius;
}

function isMiddleAtOrigin({ middle }: ShapeData): boolean {
  return middle[0] === 0 && middle[1] === 0 && middle[2] === 0;
}

/** Middles in A's frame, and the step between them in world axes. */
function placeMiddles(
  shapeA: ShapeData,
  scaleA: number,
  shapeB: ShapeData,
  scaleB: number,
  offset: Vec3,
  to: Pair,
): void {
  const { middleA, middleB, translation } = to;
  middleOf(shapeA, scaleA, middleA);
  transform(to.rotation, middleOf(shapeB, scaleB, middleB), middleB);
  addScaled(offset, transform(to.rotationA, subtract(middleB, middleA, translation), translation), 1, translation);
}

function scaleMiddles({ middleA, middleB }: Pair, factor: number): void {
  scale(middleA, factor, middleA);
  scale(middleB, factor, middleB);
}

function clearMiddles({ middleA, middleB }: Pair): void {
  set(0, 0, 0, middleA);
  set(0, 0, 0, middleB);
}

function middleOf({ middle }: ShapeData, factor: number, to: Vec3): Vec3 {
  return set(middle[0] * factor, middle[1] * factor, middle[2] * factor, to);
}

/** Writes the vector from a body's origin to its shape's middle, in world axes. */
export function middleInWorld(shape: ShapeData, pose: Pose, to: Vec3): Vec3 {
  return transform(rotationMatrix(pose.quaternion, rotation), middleOf(shape, pose.scale, to), to);
}

const rotation = new Float64Array(9);

/** Makes a shape's core. `factor`: from the shape's unit to the core's. */
export function makeCore(shape: ShapeData, factor: number, to: Core): void {
  to.halfExtents[0] = (shape.halfExtents[0] - shape.middle[0]) * factor;
  to.halfExtents[1] = (shape.halfExtents[1] - shape.middle[1]) * factor;
  to.halfExtents[2] = (shape.halfExtents[2] - shape.middle[2]) * factor;
  to.scale = factor;
  to.kind = shape.kind;
  to.vertices = shape.coreVertices;
  to.supportCells = shape.supportCells;
}
