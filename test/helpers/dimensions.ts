/**
 * Both dimensions behind one interface, for tests that differ only in data: `describe.each(dimensions)`. Testers and
 * bodies have the types of 3-D; those of 2-D have the same arrays with other numbers per vector.
 */

import * as reference from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Bodies, PlanarTester, Tester, TesterOptions } from '../../src/api/types.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { usePlanarShapes } from './planar-tester.ts';

const { planar } = reference;

export type AnyDescription = ShapeDescription | PlanarShapeDescription;
export type AnyShape = { readonly boundingRadius: number };

/** A pose for the reference. */
export interface AnyPose {
  position: ArrayLike<number>;
  /** A quaternion in 3-D, one angle in 2-D. */
  rotation: ArrayLike<number>;
  scale?: number;
  linearVelocity?: ArrayLike<number>;
}

export interface BodyArrays {
  shapes: ArrayLike<number>;
  /** `axes` numbers per body. */
  positions: Float32Array | Float64Array;
  /** `identity.length` numbers per body; default: the identity. */
  rotations?: Float32Array;
  scales?: Float32Array;
}

export interface Dimension {
  name: '2-D' | '3-D';
  axes: 2 | 3;
  /** The rotation by nothing: 4 numbers in 3-D, one in 2-D. */
  identity: readonly number[];
  /** A sphere or a circle. */
  ball(radius: number): AnyDescription;
  /** A cube or a square. */
  box(halfExtent: number): AnyDescription;
  /** A vector in the plane of x and y. */
  vector(x: number, y: number): number[];
  createTester(options: TesterOptions): Promise<Tester>;
  /** Makes these the only shapes of a tester, with their indices as ids. */
  useShapes(tester: Tester, shapes: readonly AnyDescription[]): void;
  makeBodies(arrays: BodyArrays): Bodies;
  createShape(description: AnyDescription): AnyShape;
  /** Signed distance by the reference. */
  distance(a: AnyShape, poseA: AnyPose, b: AnyShape, poseB: AnyPose): number;
  /** Time of impact by the reference; Infinity if there is none within the duration. */
  timeOfImpact(a: AnyShape, poseA: AnyPose, b: AnyShape, poseB: AnyPose, duration: number): number;
}

function rotationsOf({ shapes, rotations }: BodyArrays, identity: readonly number[]): Float32Array {
  return (
    rotations ?? Float32Array.from({ length: shapes.length * identity.length }, (_, i) => identity[i % identity.length])
  );
}

const space: Dimension = {
  name: '3-D',
  axes: 3,
  identity: [0, 0, 0, 1],
  ball: (radius) => ({ type: 'sphere', radius }),
  box: (halfExtent) => ({ type: 'box', halfExtents: [halfExtent, halfExtent, halfExtent] }),
  vector: (x, y) => [x, y, 0],
  createTester: async (options) => (await createTester(options)) as Tester,
  useShapes: (tester, shapes) => useShapes(tester, shapes as ShapeDescription[]),
  makeBodies(arrays) {
    const { shapes, positions, scales } = arrays;
    const quaternions = rotationsOf(arrays, this.identity);
    return { shapes: Uint32Array.from(shapes), positions, quaternions, ...(scales && { scales }) };
  },
  createShape: (description) => reference.createShape(description as ShapeDescription),
  distance: (a, poseA, b, poseB) =>
    reference.contact(a as reference.CpuShape, spatialPose(poseA), b as reference.CpuShape, spatialPose(poseB), {
      margin: Infinity,
    }).distance,
  timeOfImpact: (a, poseA, b, poseB, duration) =>
    timeOf(
      reference.impact(a as reference.CpuShape, spatialPose(poseA), b as reference.CpuShape, spatialPose(poseB), {
        duration,
      }),
    ),
};

const plane: Dimension = {
  name: '2-D',
  axes: 2,
  identity: [0],
  ball: (radius) => ({ type: 'circle', radius }),
  // A polygon, so that squares and circles take the kernels that all types of shape take.
  box: (h) => ({ type: 'polygon', points: [-h, -h, h, -h, h, h, -h, h] }),
  vector: (x, y) => [x, y],
  createTester: async (options) => (await createTester({ ...options, dimension: 2 })) as unknown as Tester,
  useShapes: (tester, shapes) => usePlanarShapes(tester as unknown as PlanarTester, shapes as PlanarShapeDescription[]),
  makeBodies(arrays) {
    const { shapes, positions, scales } = arrays;
    const angles = rotationsOf(arrays, this.identity);
    return { shapes: Uint32Array.from(shapes), positions, angles, ...(scales && { scales }) } as unknown as Bodies;
  },
  createShape: (description) => planar.createShape(description as PlanarShapeDescription),
  distance: (a, poseA, b, poseB) =>
    planar.contact(a as PlanarShape, planarPose(poseA), b as PlanarShape, planarPose(poseB), { margin: Infinity })
      .distance,
  timeOfImpact: (a, poseA, b, poseB, duration) =>
    timeOf(planar.impact(a as PlanarShape, planarPose(poseA), b as PlanarShape, planarPose(poseB), { duration })),
};

type PlanarShape = reference.planar.CpuPlanarShape;

export const dimensions = [space, plane];

function spatialPose({ rotation, linearVelocity, ...pose }: AnyPose) {
  return { ...pose, quaternion: rotation, linearVelocity: linearVelocity ?? [0, 0, 0] };
}

function planarPose({ rotation, linearVelocity, ...pose }: AnyPose) {
  return { ...pose, angle: rotation[0], linearVelocity: linearVelocity ?? [0, 0] };
}

function timeOf({ hit, time }: { hit: boolean; time: number }): number {
  return hit ? time : Infinity;
}
