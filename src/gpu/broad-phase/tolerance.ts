import { isCurved } from '../../shapes/kinds.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../../shapes/tolerances.ts';

/** The tolerance factor of the distance between any two of the shapes, as the boxes on the CPU have it. */
export function toleranceOfTable(
  shapes: readonly (ShapeBase | undefined)[],
  { dimension }: { dimension: 2 | 3 },
): number {
  const hasCurved = dimension === 3 && shapes.some((shape) => shape && isCurved(shape.kind));
  return hasCurved ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels;
}
