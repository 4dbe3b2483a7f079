/**
 * Records of bodies as kernels get them, made by the host in double precision. The kernels that pack the caller's arrays
 * (shaders/kernels/pack-bodies.wgsl and others) match these, quaternions up to rounding.
 */

import { FRACTION_BITS } from '../../src/generated/constants.ts';
import type { PlanarBodies, PosedBodies } from '../../src/api/types.ts';
import { usesFixedPoint, type AnyBodies, type BodyMotion, type PoseLayout } from '../../src/records/bodies.ts';
import { cellExponentOf } from '../../src/records/cells-of-positions.ts';

/** The buffers `poses` and `bodyShapes` of the kernels (shaders/kernels/load-pair.wgsl). */
export interface PackedBodies {
  poses: Float32Array<ArrayBuffer>;
  /** The bodies' shape ids. For 64-bit positions, two integers per coordinate follow. */
  bodyShapes: Uint32Array<ArrayBuffer>;
  /** Edge length of the cells of fixed-point positions; a power of two. */
  cellSize: number;
}

/**
 * Packs bodies. A 64-bit coordinate becomes a fixed-point number of two integers: a cell, and a fraction of a cell from
 * -1/2 to 1/2. Together they hold 58 bits, more than a double's mantissa.
 */
export function packBodies(bodies: AnyBodies, { dimension, poseWords }: PoseLayout): PackedBodies {
  const { shapes, positions } = bodies;
  const count = shapes.length;
  const poses = new Float32Array(Math.max(count, 1) * poseWords);
  if ('quaternions' in bodies) packPoses(bodies, poses);
  else packPlanarPoses(bodies, poses);
  if (!usesFixedPoint(bodies)) {
    const bodyShapes = new Uint32Array(Math.max(count, 1));
    bodyShapes.set(shapes);
    return { poses, bodyShapes, cellSize: 1 };
  }
  const cellSize = 2 ** cellExponentOf(positions);
  const bodyShapes = new Uint32Array(Math.max((1 + 2 * dimension) * count, 1));
  bodyShapes.set(shapes);
  for (let i = 0; i < count; i++) {
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
function packPoses({ shapes, positions, quaternions, scales }: PosedBodies, poses: Float32Array): void {
  for (let i = 0; i < shapes.length; i++) {
    const quaternion = quaternions.subarray(4 * i, 4 * i + 4);
    const [x, y, z, w] = quaternion;
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    poses.set(positions.subarray(3 * i, 3 * i + 3), 8 * i);
    poses[8 * i + 3] = scales ? scales[i] : 1;
    quaternion.forEach((component, k) => (poses[8 * i + 4 + k] = component / length));
  }
}

/** Writes `PlanarPose` records: position, angle of at most half a turn, scale. */
function packPlanarPoses({ shapes, positions, angles, scales }: PlanarBodies, poses: Float32Array): void {
  for (let i = 0; i < shapes.length; i++) {
    poses.set(positions.subarray(2 * i, 2 * i + 2), 4 * i);
    const angle = angles[i];
    poses[4 * i + 2] = Math.abs(angle) <= Math.PI ? angle : Math.atan2(Math.sin(angle), Math.cos(angle));
    poses[4 * i + 3] = scales ? scales[i] : 1;
  }
}

/** Velocity records of all bodies. */
export function packVelocities(
  { linear, angular }: BodyMotion,
  { dimension, velocityWords, angularWord, angularComponents }: PoseLayout,
): Float32Array<ArrayBuffer> {
  const count = linear.length / dimension;
  const velocities = new Float32Array(velocityWords * Math.max(count, 1));
  for (let i = 0; i < count; i++) {
    velocities.set(linear.subarray(dimension * i, dimension * (i + 1)), velocityWords * i);
    if (!angular) continue;
    const own = angular.subarray(angularComponents * i, angularComponents * (i + 1));
    velocities.set(own, velocityWords * i + angularWord);
  }
  return velocities;
}
