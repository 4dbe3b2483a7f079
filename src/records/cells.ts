/** The cells of fixed-point positions. */

/** Cells are numbered from -2^29 to 2^29, so that the difference of two fits an i32. */
const GREATEST_CELL_EXPONENT = 29;

/** No cells are smaller, since f32 has to hold their size. */
const LEAST_EXPONENT = -100;

/**
 * The exponent of the cell size: the smallest power of two for which all coordinates have a cell number.
 * `greatestHighWord` is the greatest high word of the coordinates' absolute values as doubles, rounded up: the next word
 * if the low word is not 0.
 */
export function cellExponentFor(greatestHighWord: number): number {
  const isPowerOfTwo = (greatestHighWord & 0xf_ffff) === 0;
  const exponent = (greatestHighWord >>> 20) - 1023 + (isPowerOfTwo ? 0 : 1);
  return Math.max(exponent - GREATEST_CELL_EXPONENT, LEAST_EXPONENT);
}

/** The same for these coordinates. */
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
