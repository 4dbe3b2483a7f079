/** The boxes of the parts of compounds, and of convex shapes in their own frames. */
import type { Compound } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { worldBoxes } from './bounds.ts';

/** The place of a shape in its own frame. */
export const ORIGIN = {
  positions: new Float64Array(3),
  quaternions: Float64Array.of(0, 0, 0, 1),
  scales: Float64Array.of(1),
};

/** The boxes of convex shapes at these places: min x, y, z, max x, y, z. */
export function boxesOfShapes(
  shapes: readonly ShapeData[],
  { positions, quaternions, scales }: Pick<Compound<ShapeData>, 'positions' | 'quaternions' | 'scales'>,
): Float64Array {
  const bodies = {
    shapes: Uint32Array.from(shapes, (_, i) => i),
    positions,
    // The bounds take numbers of either precision.
    quaternions: quaternions as unknown as Float32Array,
    scales: scales as unknown as Float32Array,
  };
  return worldBoxes(bodies, shapes, 0);
}
