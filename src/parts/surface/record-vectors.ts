/** Vectors of records, which have as many coordinates as their dimension. */
import { set, type Vec3 } from '../../cpu/math.ts';

export function readCoordinates(from: Float32Array, at: number, axes: 2 | 3, to: Vec3): Vec3 {
  return set(from[at], from[at + 1], axes === 3 ? from[at + 2] : 0, to);
}

export function writeCoordinates({ x, y, z }: Vec3, to: Float32Array, at: number, axes: 2 | 3): void {
  to[at] = x;
  to[at + 1] = y;
  if (axes === 3) to[at + 2] = z;
}
