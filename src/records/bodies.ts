import { allocate } from '../util/arrays.ts';
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
export interface PoseLayout {
  readonly dimension: 2 | 3;
  /** Words per record in the buffers. A pose begins with a position, a velocity with a linear velocity. */
  readonly poseWords: number;
  readonly velocityWords: number;
  /** Of a ray in a batch. */
  readonly rayWords: number;
  /** Numbers per angular velocity, and the word of the first one in a velocity record. */
  readonly angularComponents: number;
  readonly angularWord: number;
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
