/**
 * Judges contacts with 2-D surfaces by all of their parts, one by one: ghosts, which cut into a part at the point of contact, and depths.
 * It shares no code with the package.
 */
import type { PlanarSurfaceFamily } from '../families/planar-surface-families.ts';

/** x, y of a part's corners, counter-clockwise; two for a segment. */
export type PartCorners = readonly number[];

/** The parts of a family's shape, in its frame. */
export function partsOfSurface({ shape }: PlanarSurfaceFamily): PartCorners[] {
  if (shape.type === 'chain') {
    const points = Array.from(shape.points);
    const count = points.length / 2;
    return Array.from({ length: shape.loop ? count : count - 1 }, (_, i) => {
      const next = (i + 1) % count;
      return [points[2 * i], points[2 * i + 1], points[2 * next], points[2 * next + 1]];
    });
  }
  return shape.parts.map(({ shape: part, position = [0, 0] }) => {
    if (part.type === 'polygon') return Array.from(part.points);
    if (part.type !== 'rectangle') throw new Error(`parts are rectangles and polygons, not ${part.type}`);
    const [x, y] = [part.halfExtents[0], part.halfExtents[1]];
    const [u, v] = [position[0], position[1]];
    return [u - x, v - y, u + x, v - y, u + x, v + y, u - x, v + y];
  });
}

const TOUCH = 2e-5;

/** How deep a point is inside of a part; negative outside. Of a segment: the distance from it, negated. */
function depthIn(part: PartCorners, x: number, y: number): number {
  let depth = Infinity;
  let distance = Infinity;
  for (let i = 0; i < part.length; i += 2) {
    const next = (i + 2) % part.length;
    const [ex, ey] = [part[next] - part[i], part[next + 1] - part[i + 1]];
    const [dx, dy] = [x - part[i], y - part[i + 1]];
    const square = ex * ex + ey * ey;
    depth = Math.min(depth, (ex * dy - ey * dx) / Math.sqrt(square));
    const share = Math.min(Math.max((dx * ex + dy * ey) / square, 0), 1);
    distance = Math.min(distance, Math.hypot(dx - share * ex, dy - share * ey));
  }
  return part.length > 4 && depth > 0 ? depth : -distance;
}

/** Sine of the angle by which a part may rise above a contact's plane. */
const LEAST_RISE = Math.sin(Math.PI / 180);

/** Whether a contact's normal cuts into a part at its point on the surface. In a valley, the normal of a face there is none. */
export function isGhost(
  parts: readonly PartCorners[],
  [px, py]: readonly number[],
  [nx, ny]: readonly number[],
): boolean {
  const touching = parts.filter((part) => depthIn(part, px, py) > -TOUCH);
  const rises = touching.some((part) => {
    for (let i = 0; i < part.length; i += 2) {
      const [x, y] = [part[i] - px, part[i + 1] - py];
      const far = Math.hypot(x, y);
      if (far > 4 * TOUCH && x * nx + y * ny > LEAST_RISE * far) return true;
    }
    return false;
  });
  if (!rises) return false;
  // The face of a part that touches: then nothing else may be right over it.
  const isFace = touching.some((part) => {
    for (let i = 0; i < part.length; i += 2) {
      const next = (i + 2) % part.length;
      const [ex, ey] = [part[next] - part[i], part[next + 1] - part[i + 1]];
      const far = Math.hypot(ex, ey);
      const isNormal = Math.abs((ex * nx + ey * ny) / far) < 1e-3 && (part.length === 4 || ey * nx - ex * ny > 0);
      if (!isNormal) continue;
      const place = ((px - part[i]) * ex + (py - part[i + 1]) * ey) / far;
      // A point of the face, right or left of the contact's, that nothing is over.
      for (const at of [place - 50 * TOUCH, place + 50 * TOUCH]) {
        if (at < 0 || at > far) continue;
        const [x, y] = [part[i] + (at * ex) / far + 5 * TOUCH * nx, part[i + 1] + (at * ey) / far + 5 * TOUCH * ny];
        if (parts.every((other) => depthIn(other, x, y) <= TOUCH)) return true;
      }
    }
    return false;
  });
  return !isFace;
}
