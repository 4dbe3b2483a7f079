import { allocate } from '../util/arrays.ts';
import { FRACTION_BITS, MANY_RADIANS } from '../generated/constants.ts';
import { cellExponentFor, upperHighWord } from './cells.ts';
import { isCoordinate, isSquareOfLength } from './screens.ts';
import type { PlanarBodies, PlanarVelocities, PosedBodies, Velocities } from '../api/types.ts';

/** Validated bodies of either dimension. */
export type AnyBodies = PosedBodies | PlanarBodies;

/** Motion of the bodies in an `impacts` query. */
export interface BodyMotion {
  /** One vector per body. */
  linear: Float32Array;
  /** In 3-D a vector per body, in 2-D a number. */
  angular?: Float32Array;
  /** Seconds. */
  duration: number;
  /** If true, bodies that overlap or touch at the start count as an impact only while they approach. */
  passesParting?: boolean;
}

/** Velocities as callers pass them. */
export type AnyVelocities = Velocities | PlanarVelocities;

/** Where a dimension's records of poses and velocities have their fields. */
export interface PoseLayout<Bodies extends AnyBodies = AnyBodies> {
  readonly dimension: 2 | 3;
  /** Words per record in the buffers. A pose begins with a position, a velocity with a linear velocity. */
  readonly poseWords: number;
  readonly velocityWords: number;
  /** Of a ray in a batch. */
  readonly rayWords: number;
  /** Numbers per angular velocity, and the word of the first one in a velocity record. */
  readonly angularComponents: number;
  readonly angularWord: number;
  /**
   * Writes pose records of all bodies to the front of `poses`, with positions rounded to f32. Returns whether all
   * positions and rotations can be used.
   */
  packPoses(bodies: Bodies, poses: Float32Array): boolean;
}

/** The buffers `poses` and `bodyShapes` of the kernels (shaders/kernels/load-pair.wgsl). */
export interface PackedBodies {
  poses: Float32Array<ArrayBuffer>;
  /** The bodies' shape ids. For 64-bit positions, two integers per coordinate follow. */
  bodyShapes: Uint32Array<ArrayBuffer>;
  /** Edge length of the cells of fixed-point positions; a power of two. */
  cellSize: number;
}

/** Quaternions or angles. */
export function rotationsOf(bodies: AnyBodies): Float32Array {
  return 'quaternions' in bodies ? bodies.quaternions : bodies.angles;
}

/** The bodies from `first` on and before `end`, in arrays of their own that share the memory. */
export function someBodies<Bodies extends AnyBodies>(bodies: Bodies, first: number, end: number): Bodies {
  const count = Math.max(bodies.shapes.length, 1);
  const parts = Object.entries(bodies as object).map(([name, array]) => {
    if (!ArrayBuffer.isView(array)) return [name, array];
    const width = (array as Float32Array).length / count;
    return [name, (array as Float32Array).subarray(width * first, width * end)];
  });
  return Object.fromEntries(parts) as Bodies;
}

/** The bodies with these numbers, in this order, in new arrays. */
export function listedBodies<Bodies extends AnyBodies>(bodies: Bodies, numbers: readonly number[]): Bodies {
  const count = Math.max(bodies.shapes.length, 1);
  const arrays = Object.entries(bodies as object).map(([name, array]: [string, Float32Array | undefined]) => {
    if (!ArrayBuffer.isView(array)) return [name, array];
    const width = array.length / count;
    const Type = array.constructor as typeof Float32Array;
    const listed = allocate(`listed ${name}`, Type, width * numbers.length);
    numbers.forEach((from, to) => {
      for (let k = 0; k < width; k++) listed[width * to + k] = array[width * from + k];
    });
    return [name, listed];
  });
  return Object.fromEntries(arrays) as Bodies;
}

/** Whether positions are 64-bit, so that the kernels get them as cells and fractions of a cell. */
export function usesFixedPoint({ positions }: AnyBodies): boolean {
  return positions instanceof Float64Array;
}

/**
 * Packs bodies. Rotations are normalised in double precision. A 64-bit coordinate becomes a fixed-point number of two
 * integers: a cell, and a fraction of a cell from -1/2 to 1/2. Together they hold 58 bits, more than a double's
 * mantissa.
 */
export function packBodies(all: AnyBodies, { dimension, poseWords, packPoses: write }: PoseLayout): PackedBodies {
  const { shapes, positions } = all;
  const count = shapes.length;
  const isFixedPoint = usesFixedPoint(all);
  const poses = allocate('packed poses', Float32Array, Math.max(count, 1) * poseWords);
  const bodyShapes = allocate(
    'packed bodies',
    Uint32Array,
    Math.max(isFixedPoint ? (1 + 2 * dimension) * count : count, 1),
  );
  bodyShapes.set(shapes);
  write(all, poses);
  const cellSize = isFixedPoint ? cellSizeFor(positions as Float64Array) : 1;
  const fixedPointCount = isFixedPoint ? count : 0;
  for (let i = 0; i < fixedPointCount; i++) {
    for (let axis = 0; axis < dimension; axis++) {
      const value = positions[dimension * i + axis] / cellSize;
      const cell = Math.round(value);
      const at = count + 2 * dimension * i + axis;
      bodyShapes[at] = cell;
      bodyShapes[at + dimension] = Math.round((value - cell) * 2 ** FRACTION_BITS);
    }
  }
  return { poses, bodyShapes, cellSize };
}

/** Writes `Pose` records: position, scale, quaternion. */
export function packPoses({ shapes, positions, quaternions, scales }: PosedBodies, poses: Float32Array): boolean {
  let areValid = true;
  for (let i = 0, p = 0, q = 0, to = 0; i < shapes.length; i++, p += 3, q += 4, to += 8) {
    const px = positions[p];
    const py = positions[p + 1];
    const pz = positions[p + 2];
    const x = quaternions[q];
    const y = quaternions[q + 1];
    const z = quaternions[q + 2];
    const w = quaternions[q + 3];
    const squared = x * x + y * y + z * z + w * w;
    if (!(isCoordinate(px) && isCoordinate(py) && isCoordinate(pz) && isSquareOfLength(squared))) areValid = false;
    const inverse = 1 / Math.sqrt(squared);
    poses[to] = px;
    poses[to + 1] = py;
    poses[to + 2] = pz;
    poses[to + 3] = scales ? scales[i] : 1;
    poses[to + 4] = x * inverse;
    poses[to + 5] = y * inverse;
    poses[to + 6] = z * inverse;
    poses[to + 7] = w * inverse;
  }
  return areValid;
}

/**
 * Writes `PlanarPose` records: position, angle, scale. Angles are reduced to at most half a turn either way, where f32 is
 * most precise.
 */
export function packPlanarPoses({ shapes, positions, angles, scales }: PlanarBodies, poses: Float32Array): boolean {
  let areValid = true;
  for (let i = 0, p = 0, to = 0; i < shapes.length; i++, p += 2, to += 4) {
    const px = positions[p];
    const py = positions[p + 1];
    const angle = angles[i];
    if (!(isCoordinate(px) && isCoordinate(py) && Math.abs(angle) < Infinity)) areValid = false;
    poses[to] = px;
    poses[to + 1] = py;
    poses[to + 2] = withinTurn(angle);
    poses[to + 3] = scales ? scales[i] : 1;
  }
  return areValid;
}

/** An angle from -pi to pi for the same rotation. */
function withinTurn(angle: number): number {
  if (Math.abs(angle) <= Math.PI) return angle;
  if (Math.abs(angle) > MANY_RADIANS) return Math.atan2(Math.sin(angle), Math.cos(angle));
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Velocity records of all bodies: in the front of `memory` if it has room, otherwise in a new array. */
export function packVelocities(
  { linear, angular }: BodyMotion,
  { dimension, velocityWords, angularWord, angularComponents }: PoseLayout,
  memory?: Float32Array<ArrayBuffer>,
): Float32Array<ArrayBuffer> {
  const words = velocityWords * Math.max(linear.length / dimension, 1);
  const isNew = !memory || memory.length < words;
  const velocities = isNew ? allocate('packed velocities', Float32Array, words) : memory.subarray(0, words);
  if (!isNew && !angular) velocities.fill(0);
  putVectors(linear, dimension, velocities, 0, velocityWords);
  if (angular) putVectors(angular, angularComponents, velocities, angularWord, velocityWords);
  return velocities;
}

/** Writes vectors of up to three numbers, the first one to `at` and each next one `stride` further. */
function putVectors(from: Float32Array, width: number, to: Float32Array, at: number, stride: number): void {
  for (let i = 0; i < from.length; i += width, at += stride) {
    to[at] = from[i];
    if (width > 1) to[at + 1] = from[i + 1];
    if (width > 2) to[at + 2] = from[i + 2];
  }
}

/** The smallest power of two for which all positions have a cell number, and not below 2^-100. */
function cellSizeFor(positions: Float64Array): number {
  let greatest = 0;
  for (const value of positions) greatest = Math.max(greatest, Math.abs(value));
  return 2 ** cellExponentFor(upperHighWord(greatest));
}
