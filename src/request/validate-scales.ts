/** Validation of the scales of bodies. */
import { invalidInput } from '../api/errors.ts';
import { areScales } from '../records/screens.ts';
import { LARGEST_SIZE, shownSize } from '../shapes/fields.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';

/** Throws `INVALID_INPUT` unless every body can have its scale. */
export function checkScales(shapes: Uint32Array, scales: Float32Array, table: ShapeTable): void {
  if (areScales(scales, table)) return;
  for (let i = 0; i < shapes.length; i++) {
    const expected = expectedOfScale(scales[i], table.shapes[shapes[i]]!);
    if (expected) invalidInput(`bodies.scales[${i}]`, scales[i], expected);
  }
}

/**
 * The text of the expectation that a body's scale fails; undefined if the body can have this shape at this scale. Sizes
 * and scales are at most `largest`.
 */
export function expectedOfScale(
  scale: number,
  { extent }: { extent: number },
  largest = LARGEST_SIZE,
): string | undefined {
  if (!(typeof scale === 'number' && scale > 0 && scale < Infinity)) return 'a finite number above 0';
  if (scale > largest) return `a number of at most ${shownSize(largest)}`;
  // In the precision of the kernels, which have the last word.
  if (Math.fround(Math.fround(extent) * scale) > largest)
    return `a number that leaves the size of its shape, ${extent}, within ${shownSize(largest)}`;
  return undefined;
}
