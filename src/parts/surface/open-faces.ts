/**
 * What other solids leave open of a solid's face, as convex polygons. A solid covers the part of a face that lies in it, if it rises
 * above the face there:
 *
 *         ______                     a tile on a slab covers what is below it
 *     ___|      |____  <- face       a tile beside another, or one as high, covers nothing
 *    |   |______|    |
 *    |_______________|
 */
import type { Polytope } from './polytopes.ts';
import type { OpenPolygon } from './surface.ts';

/** Polygons that are narrower than this many times the reach are dropped. */
const NARROW = 2;

/** The open polygons of a face. `reach`: what is this near touches. */
export function openPolygons(
  { vertices, planes, loops }: Polytope,
  face: number,
  others: readonly Polytope[],
  reach: number,
): OpenPolygon[] {
  const whole = Float64Array.from(loops[face].flatMap((v) => Array.from(vertices.subarray(3 * v, 3 * v + 3))));
  const plane = planes.subarray(4 * face, 4 * face + 4);
  let open: Float64Array[] = [whole];
  for (const other of others)
    if (heightOf(other, plane) > 2 * reach)
      open = open.flatMap((polygon) => withoutSolid(polygon, plane, other, reach));
  return open.map((points) => ({ points, isWhole: points === whole, ...ballAround(points) }));
}

function ballAround(points: Float64Array): Pick<OpenPolygon, 'middle' | 'radius'> {
  const middle = [0, 0, 0];
  for (let i = 0; i < points.length; i++) middle[i % 3] += (3 * points[i]) / points.length;
  let radius = 0;
  for (let i = 0; i < points.length; i += 3)
    radius = Math.max(radius, Math.hypot(...middle.map((x, k) => points[i + k] - x)));
  return { middle, radius };
}

/** How far a solid rises above a plane. */
function heightOf({ vertices }: Polytope, [x, y, z, height]: Float64Array): number {
  let highest = -Infinity;
  for (let i = 0; i < vertices.length; i += 3)
    highest = Math.max(highest, x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2]);
  return highest - height;
}

/** A plane whose sine to that of a face is less than this is along it. */
const PARALLEL = 1e-3;

/** A polygon without what lies in a solid: cut along the solid's planes, one by one. */
function withoutSolid(polygon: Float64Array, plane: Float64Array, { planes }: Polytope, reach: number): Float64Array[] {
  const outside: Float64Array[] = [];
  let inside = polygon;
  for (let i = 0; i < planes.length; i += 4) {
    const cosine = planes[i] * plane[0] + planes[i + 1] * plane[1] + planes[i + 2] * plane[2];
    const sine = Math.sqrt(Math.max(1 - cosine * cosine, 0));
    // Up to rounding, the solid may stand on the polygon.
    const beside = sine < PARALLEL ? 2 * reach : reach * sine;
    const cut = Float64Array.of(planes[i], planes[i + 1], planes[i + 2], planes[i + 3] + beside);
    const beyond = clip(inside, cut, -1);
    if (!isNarrow(beyond, plane, NARROW * reach)) outside.push(beyond);
    inside = clip(inside, cut, 1);
    if (isNarrow(inside, plane, NARROW * reach)) return [polygon];
  }
  return outside;
}

/** What of a polygon is below a plane, or with `side` -1 above it. */
function clip(polygon: Float64Array, [x, y, z, height]: Float64Array, side: 1 | -1): Float64Array {
  const kept: number[] = [];
  const over = (i: number): number => side * (x * polygon[i] + y * polygon[i + 1] + z * polygon[i + 2] - height);
  for (let i = 0; i < polygon.length; i += 3) {
    const next = (i + 3) % polygon.length;
    const [a, b] = [over(i), over(next)];
    if (a <= 0) kept.push(polygon[i], polygon[i + 1], polygon[i + 2]);
    if (a <= 0 === b <= 0) continue;
    const share = a / (a - b);
    for (let k = 0; k < 3; k++) kept.push(polygon[i + k] + share * (polygon[next + k] - polygon[i + k]));
  }
  return Float64Array.from(kept);
}

/** Whether a polygon is narrower than `least` across one of its sides. */
function isNarrow(polygon: Float64Array, normal: Float64Array, least: number): boolean {
  if (polygon.length < 9) return true;
  let narrowest = Infinity;
  for (let i = 0; i < polygon.length; i += 3) {
    let widest = 0;
    for (let j = 0; j < polygon.length; j += 3) widest = Math.max(widest, insideSide(polygon, i, normal, polygon, j));
    narrowest = Math.min(narrowest, widest);
  }
  return !(narrowest > least);
}

/** How far a point is inside of the side that begins at number i of a polygon; Infinity if the side has no length. */
function insideSide(
  polygon: Float64Array,
  i: number,
  [x, y, z]: ArrayLike<number> & Iterable<number>,
  points: ArrayLike<number>,
  at: number,
): number {
  const next = (i + 3) % polygon.length;
  const u = polygon[next] - polygon[i];
  const v = polygon[next + 1] - polygon[i + 1];
  const w = polygon[next + 2] - polygon[i + 2];
  const length = Math.sqrt(u * u + v * v + w * w);
  if (length === 0) return Infinity;
  const px = points[at] - polygon[i];
  const py = points[at + 1] - polygon[i + 1];
  const pz = points[at + 2] - polygon[i + 2];
  return (px * (y * w - z * v) + py * (z * u - x * w) + pz * (x * v - y * u)) / length;
}

/** Whether a point of a face's plane is in an open polygon, or no farther outside than `slack`. */
export function isInPolygon(
  { points, isWhole }: OpenPolygon,
  normal: number[],
  point: number[],
  slack: number,
): boolean {
  if (isWhole) return true;
  for (let i = 0; i < points.length; i += 3) if (insideSide(points, i, normal, point, 0) < -slack) return false;
  return true;
}
