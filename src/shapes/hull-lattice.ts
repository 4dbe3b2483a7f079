/**
 * Point sets on an integer lattice, and arithmetic on it that is exact where it matters. With coordinates from 0 to
 * 2^47, differences are exact, and so are the signs of areas and volumes. Signs of volumes use Shewchuk's adaptive
 * predicates (1997).
 */

import { orient3d } from 'robust-predicates';
import { productError } from '../util/rounding-error.ts';

/**
 * Rounds to integers from 0 to 2^47, in units of `step`, a power of two. `extent` is the longest side of the set's box.
 */
export function toLattice(points: ArrayLike<number>): { lattice: Float64Array; step: number; extent: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const step = extent === 0 ? 1 : 2 ** (Math.floor(Math.log2(extent)) - 46);
  return { lattice: Float64Array.from(points, (x, i) => Math.round((x - low[i % 3]) / step)), step, extent };
}

/**
 * a·d − b·c of integers up to 2^48, to a relative error of 2^-51 and with the exact sign. The rounding errors of the
 * two products are integers below 2^44, so their difference is exact. Where the products nearly cancel, so is the
 * difference of the products.
 */
export function determinant(a: number, b: number, c: number, d: number): number {
  const ad = a * d;
  const bc = b * c;
  return ad - bc + (productError(a, d, ad) - productError(b, c, bc));
}

/** Writes (b − a) × (c − a) of three points to `out[at..at+2]`, each component to a relative error of 2^-51. */
export function areaVector(
  points: Float64Array,
  a: number,
  b: number,
  c: number,
  out: Float64Array | number[],
  at = 0,
): void {
  const ux = points[3 * b] - points[3 * a];
  const uy = points[3 * b + 1] - points[3 * a + 1];
  const uz = points[3 * b + 2] - points[3 * a + 2];
  const vx = points[3 * c] - points[3 * a];
  const vy = points[3 * c + 1] - points[3 * a + 1];
  const vz = points[3 * c + 2] - points[3 * a + 2];
  out[at] = determinant(uy, uz, vy, vz);
  out[at + 1] = determinant(uz, ux, vz, vx);
  out[at + 2] = determinant(ux, uy, vx, vy);
}

/** Positive if p is above the plane of a, b, c (which are counter-clockwise seen from p), 0 if exactly on it. */
export function orientation(points: Float64Array, a: number, b: number, c: number, p: number): number {
  return -orient3d(
    points[3 * a],
    points[3 * a + 1],
    points[3 * a + 2],
    points[3 * b],
    points[3 * b + 1],
    points[3 * b + 2],
    points[3 * c],
    points[3 * c + 1],
    points[3 * c + 2],
    points[3 * p],
    points[3 * p + 1],
    points[3 * p + 2],
  );
}
