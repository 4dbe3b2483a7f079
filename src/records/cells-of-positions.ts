/** The cells of fixed-point positions, found on the host. */
import { cellExponentFor } from './cells.ts';

/** The exponent of the cell size for these coordinates. */
export function cellExponentOf(positions: ArrayLike<number>): number {
  let greatest = 0;
  for (let i = 0; i < positions.length; i++) greatest = Math.max(greatest, Math.abs(positions[i]));
  return cellExponentFor(upperHighWord(greatest));
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The high word of a number of at least 0, rounded up. */
export function upperHighWord(value: number): number {
  double[0] = value;
  return words[1] + (words[0] === 0 ? 0 : 1);
}
