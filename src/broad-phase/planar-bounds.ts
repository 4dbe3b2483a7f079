/**
 * World boxes of 2-D bodies. They are exact, not boxes of rotated local boxes: the boxes of the rotated corners,
 * enlarged by the rounding radius.
 */
import { allocate } from '../util/arrays.ts';
import { outlineOfParts } from '../shapes/planar-part-shapes.ts';
import { coreCorners, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { TOLERANCE } from '../shapes/tolerances.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { PlanarBodies } from '../api/types.ts';
import { BODIES_AT_ONCE, enlargementShare, roundingAt, sweepBoxes, type Bounding } from './bounding.ts';

/** Like `boundBodies` in bounds.ts. The coordinates on the third axis are 0. */
export function* boundPlanarBodies(
  bodies: PlanarBodies,
  shapes: readonly (PlanarShapeData | undefined)[],
  bounding: Bounding,
): Work<Float64Array> {
  const isDue = createPace();
  const outlines = shapes.map((shape): Outline | undefined => {
    if (!shape) return undefined;
    const { radius, boundingRadius } = shape;
    if (shape.parts) return { ...outlineOfParts(shape), radius, boundingRadius };
    return { points: Float64Array.from(coreCorners(shape)), radii: undefined, radius, boundingRadius };
  });
  const { length } = bodies.shapes;
  const boxes = allocate('boxes of the bodies', Float64Array, 6 * length);
  const mostCorners = outlines.reduce((most, outline) => Math.max(most, outline?.points.length ?? 0), 0) / 2;
  const atOnce = Math.max(1, Math.floor(BODIES_AT_ONCE / (1 + mostCorners / 8)));
  for (let first = 0; first < length; first += atOnce) {
    boundSome(bodies, outlines, bounding.margin, first, Math.min(first + atOnce, length), boxes);
    if (isDue(32 * BODIES_AT_ONCE)) yield;
  }
  yield* sweepBoxes(boxes, bodies, shapes, bounding, 2, enlargementShare(TOLERANCE.kernels));
  return boxes;
}

/** What of a shape its boxes depend on: the corners of its core, x, y, and radii; of parts, a radius for each corner. */
interface Outline {
  points: Float64Array;
  radii: Float64Array | undefined;
  radius: number;
  boundingRadius: number;
}

/** The boxes of the bodies from `first` up to `end`, at rest. */
function boundSome(
  { shapes: ids, positions, angles, scales }: PlanarBodies,
  outlines: readonly (Outline | undefined)[],
  margin: number,
  first: number,
  end: number,
  boxes: Float64Array,
): void {
  const share = enlargementShare(TOLERANCE.kernels);
  for (let i = first; i < end; i++) {
    const { points, radii, radius, boundingRadius } = outlines[ids[i]]!;
    const scale = scales ? scales[i] : 1;
    const enlarged = radius * scale + margin / 2 + share * (boundingRadius * scale + margin / 2);
    const cosine = Math.cos(angles[i]);
    const sine = Math.sin(angles[i]);
    for (let axis = 0; axis < 2; axis++) {
      const alongX = axis === 0 ? cosine : sine;
      const alongY = axis === 0 ? -sine : cosine;
      let low = Infinity;
      let high = -Infinity;
      for (let p = 0; p < points.length; p += 2) {
        const along = alongX * points[p] + alongY * points[p + 1];
        const around = radii ? radii[p / 2] : 0;
        if (along - around < low) low = along - around;
        if (along + around > high) high = along + around;
      }
      const centre = positions[2 * i + axis];
      const around = enlarged + roundingAt(centre);
      boxes[6 * i + axis] = centre + low * scale - around;
      boxes[6 * i + 3 + axis] = centre + high * scale + around;
    }
  }
}
