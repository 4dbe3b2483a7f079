import { FRACTION_BITS } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { Bodies } from '../types.ts';

/** The buffers `poses` and `bodies` of the kernels. */
export interface PackedBodies {
  poses: ArrayBuffer;
  bodies: ArrayBuffer;
  /** Edge length of the cells that positions are counted in; a power of two. */
  cellSize: number;
}

/** Cells are numbered from -CELLS to CELLS, so that the difference of two fits an i32. */
const CELLS = 2 ** 29;

/**
 * Packs bodies. Quaternions are normalised in double precision. 64-bit positions become fixed-point numbers of two integers,
 * cells and fractions of a cell from -1/2 to 1/2: together they hold 58 bits, more than a double has.
 */
export function packBodies({ shapes, positions, quaternions, scales }: Bodies): PackedBodies {
  const count = shapes.length;
  const poses = new Float32Array((Math.max(count, 1) * layouts.Pose.size) / 4);
  const bodies = new Uint32Array((Math.max(count, 1) * layouts.Body.size) / 4);
  const { position, scale, quaternion } = layouts.Pose.fields;
  const poseWords = layouts.Pose.size / 4;
  const bodyWords = layouts.Body.size / 4;
  const cellWord = layouts.Body.fields.cell.offset / 4;
  const fractionWord = layouts.Body.fields.fraction.offset / 4;
  const shapeWord = layouts.Body.fields.shape.offset / 4;
  const hasCells = positions instanceof Float64Array;
  const cellSize = hasCells ? cellSizeFor(positions) : 1;
  for (let i = 0; i < count; i++) {
    const pose = i * poseWords;
    bodies[i * bodyWords + shapeWord] = shapes[i];
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * i + axis];
      if (hasCells) {
        const cell = Math.round(value / cellSize);
        bodies[i * bodyWords + cellWord + axis] = cell;
        bodies[i * bodyWords + fractionWord + axis] = Math.round((value / cellSize - cell) * 2 ** FRACTION_BITS);
      } else {
        poses[pose + position.offset / 4 + axis] = value;
      }
    }
    poses[pose + scale.offset / 4] = scales ? scales[i] : 1;
    const x = quaternions[4 * i];
    const y = quaternions[4 * i + 1];
    const z = quaternions[4 * i + 2];
    const w = quaternions[4 * i + 3];
    const inverse = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    const at = pose + quaternion.offset / 4;
    poses[at] = x * inverse;
    poses[at + 1] = y * inverse;
    poses[at + 2] = z * inverse;
    poses[at + 3] = w * inverse;
  }
  return { poses: poses.buffer, bodies: bodies.buffer, cellSize };
}

/** The smallest power of two that numbers all positions; not so small that f32 could not hold it. */
function cellSizeFor(positions: Float64Array): number {
  let reach = 0;
  for (const value of positions) reach = Math.max(reach, Math.abs(value));
  return 2 ** Math.max(Math.ceil(Math.log2(reach / CELLS + Number.MIN_VALUE)), -100);
}
