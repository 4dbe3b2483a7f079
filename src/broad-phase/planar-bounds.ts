/**
 * World boxes of 2-D bodies. They are exact, not boxes of rotated local boxes: the boxes of the rotated corners,
 * enlarged by the rounding radius.
 */
import { allocate } from '../util/arrays.ts';
import { coreCorners, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { TOLERANCE } from '../shapes/tolerances.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { PlanarBodies } from '../api/types.ts';

/** Like `boundBodies` in bounds.ts. The coordinates on the third axis are 0. */
export function* boundPlanarBodies(
  { shapes: ids, positions, angles, scales }: PlanarBodies,
  shapes: readonly (PlanarShapeData | undefined)[],
  margin: number,
): Work<Float64Array> {
  const isDue = createPace();
  const cores = shapes.map((shape) => shape && coreCorners(shape));
  const k = TOLERANCE.kernels;
  const boxes = allocate('boxes of the bodies', Float64Array, 6 * ids.length);
  for (let i = 0; i < ids.length; i++) {
    const points = cores[ids[i]]!;
    const { radius, boundingRadius } = shapes[ids[i]]!;
    const scale = scales ? scales[i] : 1;
    const enlarged = radius * scale + margin / 2 + 2 * k * (boundingRadius * scale + margin / 2);
    const cosine = Math.cos(angles[i]);
    const sine = Math.sin(angles[i]);
    for (let axis = 0; axis < 2; axis++) {
      const alongX = axis === 0 ? cosine : sine;
      const alongY = axis === 0 ? -sine : cosine;
      let low = Infinity;
      let high = -Infinity;
      for (let p = 0; p < points.length; p += 2) {
        const along = alongX * points[p] + alongY * points[p + 1];
        low = Math.min(low, along);
        high = Math.max(high, along);
      }
      const centre = positions[2 * i + axis];
      // Far from the origin the sums below may round by more than the enlargement.
      const rounding = Math.abs(centre) * 2 ** -51;
      boxes[6 * i + axis] = centre + low * scale - enlarged - rounding;
      boxes[6 * i + 3 + axis] = centre + high * scale + enlarged + rounding;
    }
    if (isDue(32 + points.length)) yield;
  }
  return boxes;
}
