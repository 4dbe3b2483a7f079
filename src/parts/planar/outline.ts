/** A convex 2-D part in the frame and unit of another body: the corners of its core, counter-clockwise, and its rounding radius. */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { planarShapeOf } from '../../cpu/parts/planar-parts.ts';
import { planarPart } from '../../shapes/planar-part-shapes.ts';
import { coreCorners } from '../../shapes/planar-shape-data.ts';

export interface Outline {
  /** x, y per corner. */
  corners: Float64Array;
  count: number;
  radius: number;
  /** The greatest distance of its points from the origin of its body. */
  reach: number;
}

export function createOutline(): Outline {
  return { corners: new Float64Array(16), count: 0, radius: 0, reach: 0 };
}

/** Places a part of body B in body A's frame; `ofB` false: a part of A in B's. */
export function placeOutline({ a, b, offset }: PairPlaces, part: number, ofB: boolean, to: Outline): void {
  const [frame, body, sign] = ofB ? [a, b, 1] : [b, a, -1];
  const shape = planarPart(planarShapeOf(body), part);
  const from = coreCorners(shape);
  if (to.corners.length < from.length) to.corners = new Float64Array(2 * from.length);
  to.count = from.length / 2;
  const scale = body.scale / frame.scale;
  to.radius = shape.radius * scale;
  to.reach = shape.boundingRadius * scale;
  const [cosine, sine] = [frame.rotation[0], frame.rotation[1]];
  const [u, v] = [body.rotation[0], body.rotation[1]];
  const ofX = (sign * offset.x) / frame.scale;
  const ofY = (sign * offset.y) / frame.scale;
  for (let i = 0; i < from.length; i += 2) {
    const x = ofX + (u * from[i] - v * from[i + 1]) * scale;
    const y = ofY + (v * from[i] + u * from[i + 1]) * scale;
    to.corners[i] = cosine * x + sine * y;
    to.corners[i + 1] = cosine * y - sine * x;
  }
}

/** How far a part reaches along a unit vector. */
export function greatestHeight({ corners, count, radius }: Outline, x: number, y: number): number {
  let greatest = -Infinity;
  for (let i = 0; i < 2 * count; i += 2) greatest = Math.max(greatest, corners[i] * x + corners[i + 1] * y);
  return greatest + radius;
}

export function leastHeight(outline: Outline, x: number, y: number): number {
  return -greatestHeight(outline, -x, -y);
}

/** Writes the point of a part that is farthest along a unit vector. */
export function supportOf(
  { corners, count, radius }: Outline,
  x: number,
  y: number,
  to: { x: number; y: number },
): void {
  let greatest = -Infinity;
  let best = 0;
  for (let i = 0; i < 2 * count; i += 2) {
    const height = corners[i] * x + corners[i + 1] * y;
    if (height <= greatest) continue;
    greatest = height;
    best = i;
  }
  to.x = corners[best] + radius * x;
  to.y = corners[best + 1] + radius * y;
}
