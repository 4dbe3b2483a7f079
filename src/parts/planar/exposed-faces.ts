/**
 * Faces of a 2-D surface: the edges of its parts with their outward normals, and which pieces of them no other part covers. A segment has
 * two faces, and nothing covers it.
 */
import { visitSharp, type PlanarSurface } from './planar-surface.ts';

export interface Face {
  /** Its first end, unit vector along it, length, and outward unit normal, to its right. */
  x: number;
  y: number;
  alongX: number;
  alongY: number;
  length: number;
  normalX: number;
  normalY: number;
  /** The uncovered pieces: places of their ends along it, two per piece. */
  pieces: readonly number[];
}

const known = new WeakMap<PlanarSurface, Map<number, readonly Face[]>>();

/** The faces of a sharp part. Those of a segment are first its right side, then its left. */
export function facesOf(surface: PlanarSurface, part: number): readonly Face[] {
  const faces = known.get(surface) ?? new Map<number, readonly Face[]>();
  known.set(surface, faces);
  const found = faces.get(part) ?? findFaces(surface, part);
  faces.set(part, found);
  return found;
}

function findFaces(surface: PlanarSurface, part: number): Face[] {
  const corners = surface.cornersOf(part);
  const { length: size } = corners;
  return Array.from({ length: size / 2 }, (_, i): Face => {
    const at = 2 * i;
    const next = at + 2 === size ? 0 : at + 2;
    const [ex, ey] = [corners[next] - corners[at], corners[next + 1] - corners[at + 1]];
    const length = Math.hypot(ex, ey);
    const [alongX, alongY] = [ex / length, ey / length];
    const face = { x: corners[at], y: corners[at + 1], alongX, alongY, length, normalX: alongY, normalY: -alongX };
    return { ...face, pieces: size > 4 ? uncovered(surface, part, face) : [0, length] };
  });
}

/** The pieces of a face with no other part right outside of it. */
function uncovered(surface: PlanarSurface, part: number, face: Omit<Face, 'pieces'>): number[] {
  const { touch } = surface;
  const { x, y, alongX, alongY, length, normalX, normalY } = face;
  const line: OutsideLine = { x: x + touch * normalX, y: y + touch * normalY, alongX, alongY, length };
  const covered: (readonly [number, number])[] = [];
  visitSharp(surface, [x, y, x + length * alongX, y + length * alongY], 2 * touch, (other) => {
    const corners = surface.cornersOf(other);
    const stretch = other !== part && corners.length > 4 ? stretchInside(line, corners) : undefined;
    if (stretch) covered.push(stretch);
  });
  covered.sort((a, b) => a[0] - b[0]);
  const pieces: number[] = [];
  let end = 0;
  for (const [first, last] of [...covered, [length, length] as const]) {
    if (first - end > 2 * touch) pieces.push(end, first);
    end = Math.max(end, last);
  }
  return pieces;
}

type OutsideLine = Pick<Face, 'x' | 'y' | 'alongX' | 'alongY' | 'length'>;

/** Which stretch of a line is inside of a convex polygon; undefined if none is. */
function stretchInside(line: OutsideLine, corners: ArrayLike<number>): readonly [number, number] | undefined {
  let first = 0;
  let last = line.length;
  for (let i = 0; i < corners.length; i += 2) {
    const next = i + 2 === corners.length ? 0 : i + 2;
    const [ex, ey] = [corners[next] - corners[i], corners[next + 1] - corners[i + 1]];
    // Positive inside: how it begins, and how it grows along the line.
    const begin = ex * (line.y - corners[i + 1]) - ey * (line.x - corners[i]);
    const growth = ex * line.alongY - ey * line.alongX;
    if (growth > 0) first = Math.max(first, -begin / growth);
    else if (growth < 0) last = Math.min(last, -begin / growth);
    else if (begin < 0) return undefined;
  }
  return last > first ? [first, last] : undefined;
}

/** Whether a point of a face, by its place along it, is on one of its pieces. */
export function isUncovered({ pieces }: Face, place: number, slack: number): boolean {
  for (let i = 0; i < pieces.length; i += 2)
    if (place >= pieces[i] - slack && place <= pieces[i + 1] + slack) return true;
  return false;
}
