/** Rounding errors of sums and products of doubles, which are doubles themselves unless something overflows. */

/**
 * The exact value of a·b − product, where `product` is a·b rounded. Dekker's method ("A floating-point technique for
 * extending the available precision", 1971) splits both factors into halves of 26 bits.
 */
export function productError(a: number, b: number, product: number): number {
  const as = 134217729 * a;
  const bs = 134217729 * b;
  const ah = as - (as - a);
  const bh = bs - (bs - b);
  const al = a - ah;
  const bl = b - bh;
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}

/** The exact value of a + b − sum, where `sum` is a + b rounded (Knuth, "The Art of Computer Programming" 2, 4.2.2). */
export function sumError(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}
