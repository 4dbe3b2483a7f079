/**
 * How far a part has to move along a unit vector n until it leaves a segment, a point or a convex part of a 2-D surface, and where: over
 * each place u across n, the part is above the feature by the difference of two heights, which is concave in u.
 *
 *        n ^      __ part
 *          |     /  \
 *          |  __/____\____ feature      exit = greatest of (height of the feature - least height of the part)
 *          |    \____/
 *          +-----------> u
 */
import type { Exit } from '../surface/exit.ts';
import type { Outline } from './outline.ts';
import { supportOf } from './outline.ts';

/** Places outside of a part by this share of its reach are in it. */
const ROUNDING = 1e-12;

/** The least height of a part along n over a place u; Infinity outside of the part. */
function bottomAt({ corners, count, radius, reach }: Outline, nx: number, ny: number, u: number): number {
  const slack = ROUNDING * reach;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const at = 2 * i;
    const next = i + 1 === count ? 0 : at + 2;
    const [x, y] = [corners[at], corners[at + 1]];
    const place = ny * x - nx * y;
    const height = nx * x + ny * y;
    const off = Math.abs(u - place);
    if (off <= radius + slack) least = Math.min(least, height - Math.sqrt(Math.max(radius * radius - off * off, 0)));
    if (next === at) continue;
    const [ex, ey] = [corners[next] - x, corners[next + 1] - y];
    const length = Math.sqrt(ex * ex + ey * ey);
    const along = (ny * ex - nx * ey) / length;
    // The outward normal of the edge points down if the edge goes towards greater u.
    if (!(along > 0)) continue;
    const rise = (nx * ex + ny * ey) / length;
    const way = (u - (place + radius * rise)) / along;
    if (way < 0 || way > length) continue;
    least = Math.min(least, height - radius * along + way * rise);
  }
  return least;
}

const bottom = { x: 0, y: 0 };

/** From the segment from (ax, ay) to (bx, by), or the point if both are the same. */
export function exitOfSegment(
  [ax, ay, bx, by]: readonly [number, number, number, number],
  part: Outline,
  { x: nx, y: ny }: { readonly x: number; readonly y: number },
  to: Exit,
): void {
  to.distance = -Infinity;
  const [placeA, placeB] = [ny * ax - nx * ay, ny * bx - nx * by];
  const [heightA, heightB] = [nx * ax + ny * ay, nx * bx + ny * by];
  const width = placeB - placeA;
  supportOf(part, ny, -nx, bottom);
  const greatest = Math.min(Math.max(placeA, placeB), ny * bottom.x - nx * bottom.y);
  supportOf(part, -ny, nx, bottom);
  const least = Math.max(Math.min(placeA, placeB), ny * bottom.x - nx * bottom.y);
  const tryAt = (u: number): void => {
    const share = width === 0 ? Number(heightB > heightA) : Math.min(Math.max((u - placeA) / width, 0), 1);
    const distance = heightA + share * (heightB - heightA) - bottomAt(part, nx, ny, u);
    if (!(distance > to.distance)) return;
    to.distance = distance;
    to.point.x = ax + share * (bx - ax);
    to.point.y = ay + share * (by - ay);
    to.point.z = 0;
  };
  if (greatest < least - ROUNDING * part.reach) return;
  const slope = width === 0 ? 0 : (heightB - heightA) / width;
  // Where the part's lower side is parallel to the segment: down along the segment's normal.
  const length = Math.sqrt(1 + slope * slope);
  const [du, dw] = [slope / length, -1 / length];
  supportOf(part, du * ny + dw * nx, dw * ny - du * nx, bottom);
  tryAt(Math.min(Math.max(ny * bottom.x - nx * bottom.y, least), greatest));
  tryAt(least);
  tryAt(greatest);
}

/** How far the part moves until it leaves the convex part with these corners, counter-clockwise; two are a segment. */
export function exitOfConvex(
  corners: ArrayLike<number>,
  part: Outline,
  normal: { readonly x: number; readonly y: number },
  to: Exit,
): number {
  let distance = -Infinity;
  for (let i = 0; i < corners.length; i += 2) {
    const next = i + 2 === corners.length ? 0 : i + 2;
    exitOfSegment([corners[i], corners[i + 1], corners[next], corners[next + 1]], part, normal, to);
    distance = Math.max(distance, to.distance);
  }
  return distance;
}
