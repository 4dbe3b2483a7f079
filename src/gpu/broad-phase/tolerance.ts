import { hasCurvedPart } from '../../shapes/parts.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../../shapes/tolerances.ts';

/**
 * The tolerance factor of the distance between any two of the shapes, as the boxes on the CPU have it. All shapes of the
 * table count, also those that no body has: the ids of a batch's bodies may be in a buffer alone. So if a tester has
 * a curved shape, boxes of polytopes too are enlarged by 4e-5 of their bounding radius on each side, in place of 1e-5.
 */
export function toleranceOfTable(
  shapes: readonly (ShapeBase | undefined)[],
  { dimension }: { dimension: 2 | 3 },
): number {
  const hasCurved = dimension === 3 && shapes.some((shape) => shape && hasCurvedPart(shape));
  return hasCurved ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels;
}
