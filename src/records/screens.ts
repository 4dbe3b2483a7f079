/**
 * Screens: loops that say whether all elements of an array can certainly be used. The loops of validation, which name
 * the first element that can't, are slower by their messages; they run only if a screen fails. A screen may fail for
 * elements that can be used, but never passes one that can't. NaN fails every comparison.
 */
import { CORE_HALFSPACE, GREATEST_POSITION } from '../generated/constants.ts';
import { LARGEST_SIZE } from '../shapes/fields.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { PlanarBodies, PosedBodies } from '../api/types.ts';

/** What screens need of a shape table. */
export type KnownShapes = Pick<ShapeTable, 'shapes' | 'idCount'>;

/** Shorter quaternions are invalid. */
const MIN_QUATERNION_LENGTH = 1e-6;

/** Leaves room for the rounding of a product and its factors to f32. */
const ROUNDED_DOWN = 1 - 2 ** -20;

/** Whether a number of a position or a linear velocity can be used. */
export function isCoordinate(value: number): boolean {
  return Math.abs(value) <= GREATEST_POSITION;
}

/** Whether a quaternion with this square of its length can be used. */
export function isSquareOfLength(squared: number): boolean {
  return squared >= MIN_QUATERNION_LENGTH * MIN_QUATERNION_LENGTH && squared < Infinity;
}

export function areCoordinates(numbers: Float32Array | Float64Array): boolean {
  const end = numbers.length;
  let i = 0;
  // Four at a time, which takes half as long.
  for (; i < end - 3; i += 4) {
    if (!(isCoordinate(numbers[i]) && isCoordinate(numbers[i + 1]))) return false;
    if (!(isCoordinate(numbers[i + 2]) && isCoordinate(numbers[i + 3]))) return false;
  }
  for (; i < end; i++) if (!isCoordinate(numbers[i])) return false;
  return true;
}

export function areQuaternions(numbers: Float32Array): boolean {
  for (let i = 0; i < numbers.length; i += 4) {
    const x = numbers[i];
    const y = numbers[i + 1];
    const z = numbers[i + 2];
    const w = numbers[i + 3];
    if (!isSquareOfLength(x * x + y * y + z * z + w * w)) return false;
  }
  return true;
}

export function areFinite(numbers: Float32Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (!(Math.abs(numbers[i]) < Infinity)) return false;
  return true;
}

/** Whether all of them are ids of shapes. */
export function areShapes(ids: Uint32Array, { shapes, idCount = shapes.length }: KnownShapes): boolean {
  for (let i = 0; i < ids.length; i++) if (ids[i] >= idCount || shapes[ids[i]] === undefined) return false;
  return true;
}

/** Whether all bodies have shapes, positions and rotations that can be used. */
export function arePoses(bodies: PosedBodies | PlanarBodies, table: KnownShapes): boolean {
  if (!areShapes(bodies.shapes, table) || !areCoordinates(bodies.positions)) return false;
  return 'quaternions' in bodies ? areQuaternions(bodies.quaternions) : areFinite(bodies.angles);
}

/** Where the first pair of two half-spaces begins, which have no distance; -1 if there is none. */
export function findUnboundedPair(shapes: Uint32Array, pairs: Uint32Array, table: KnownShapes): number {
  const isHalfspace = table.shapes.map((shape) => shape?.kind === CORE_HALFSPACE);
  if (!isHalfspace.includes(true)) return -1;
  for (let i = 0; i < pairs.length; i += 2) {
    if (isHalfspace[shapes[pairs[i]]] && isHalfspace[shapes[pairs[i + 1]]]) return i;
  }
  return -1;
}

/** Whether every shape of the table can have each of these scales. */
export function areScales(scales: Float32Array, { shapes }: KnownShapes): boolean {
  let extent = 1;
  for (const shape of shapes) if (shape) extent = Math.max(extent, shape.extent);
  const most = (LARGEST_SIZE / extent) * ROUNDED_DOWN;
  for (let i = 0; i < scales.length; i++) if (!(scales[i] > 0 && scales[i] <= most)) return false;
  return true;
}

/** Whether all indices are below `count`. */
export function areBelow(indices: Uint32Array, count: number): boolean {
  for (let i = 0; i < indices.length; i++) if (indices[i] >= count) return false;
  return true;
}
