/** The cells of fixed-point positions. */

/** Cells are numbered from -2^29 to 2^29, so that the difference of two fits an i32. */
const GREATEST_CELL_EXPONENT = 29;

/** No cells are smaller, and none larger, since f32 has to hold their size. Coordinates up to 1e30 have smaller ones. */
const LEAST_EXPONENT = -100;
const MOST_EXPONENT = 100;

/**
 * The exponent of the cell size: the smallest power of two for which all coordinates have a cell number.
 * `greatestHighWord` is the greatest high word of the coordinates' absolute values as doubles, rounded up: the next word
 * if the low word is not 0.
 */
export function cellExponentFor(greatestHighWord: number): number {
  const isPowerOfTwo = (greatestHighWord & 0xf_ffff) === 0;
  const exponent = (greatestHighWord >>> 20) - 1023 + (isPowerOfTwo ? 0 : 1);
  return Math.min(Math.max(exponent - GREATEST_CELL_EXPONENT, LEAST_EXPONENT), MOST_EXPONENT);
}
