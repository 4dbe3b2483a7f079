/** Where one tree is relative to another. */
import type { PartTree } from './part-tree.ts';

/**
 * B seen from A: a point p of B's shape is at rotation · (scaleB · p) + translation, a point q of A's at scaleA · q. All numbers
 * are finite: with a NaN no pair would be cut off.
 */
export interface Placement {
  /** From B's axes to A's: column-major, 9 numbers, orthonormal to a few units of rounding. */
  readonly rotation: Float64Array;
  /** From A's position to B's, in A's axes. */
  readonly translation: Float64Array;
  readonly scaleA: number;
  readonly scaleB: number;
}

/**
 * The slack of a gap between two boxes, as a share of the lengths that it is computed from. A gap is a sum of about 30
 * products, which loses up to 2^-48 of them; the rotation's columns are unit vectors to a few units of rounding.
 */
const ROUNDING = 2 ** -46;

/** More than twice the error of a computed gap, in A's unit: that of its shape before it is scaled. */
export function slackOf(a: PartTree, b: PartTree, { translation, scaleA, scaleB }: Placement): number {
  const [x, y, z] = translation;
  const lengths = Math.abs(x) + Math.abs(y) + Math.abs(z) + scaleB * b.extent;
  return ROUNDING * (a.extent + lengths / scaleA);
}
