/** Boxes for tests of `fitBox`. */
import type { FittedBox } from '../../src/api/geometry.ts';
import { uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { rotationMatrix } from '../../verification/oracle/shape.ts';

export function fittedVolume({ halfExtents: [x, y, z] }: FittedBox): number {
  return 8 * x * y * z;
}

/** A box with random axes and centre, and its eight corners. */
export function turnedBox(random: Random, halfExtents: readonly number[]): { points: number[]; box: FittedBox } {
  const quaternion = unitVector(random, [0, 0, 0, 0]) as [number, number, number, number];
  const m = rotationMatrix(quaternion);
  const centre = [0, 1, 2].map(() => uniform(random, -5, 5)) as [number, number, number];
  const points = Array.from({ length: 8 }, (_, corner) => {
    const local = halfExtents.map((half, axis) => ((corner >> axis) & 1 ? half : -half));
    return centre.map((c, i) => c + m[3 * i] * local[0] + m[3 * i + 1] * local[1] + m[3 * i + 2] * local[2]);
  }).flat();
  return { points, box: { centre, halfExtents: [halfExtents[0], halfExtents[1], halfExtents[2]], quaternion } };
}

/** How far a point is outside a box, or the negative of its distance from the nearest face. */
export function outside({ centre, halfExtents, quaternion }: FittedBox, point: readonly number[]): number {
  const m = rotationMatrix(quaternion);
  const offset = point.map((value, i) => value - centre[i]);
  return Math.max(
    ...halfExtents.map((half, axis) => {
      return Math.abs(m[axis] * offset[0] + m[3 + axis] * offset[1] + m[6 + axis] * offset[2]) - half;
    }),
  );
}
