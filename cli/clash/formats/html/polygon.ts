/** Convex polygons in the plane of a picture. */

/** x to the right and y up, in the scene's unit, relative to the middle of the view. */
export type Point = readonly [x: number, y: number];

/** The convex hull of points, counter-clockwise (Andrew's monotone chain). */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  if (sorted.length < 3) return sorted;
  return [...chainOf(sorted), ...chainOf(sorted.reverse())];
}

/** Half of a hull, without its last point. */
function chainOf(sorted: readonly Point[]): Point[] {
  const chain: Point[] = [];
  for (const point of sorted) {
    while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
    chain.push(point);
  }
  chain.pop();
  return chain;
}

function turn([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/** The part of a convex polygon within a rectangle around the origin (Sutherland and Hodgman). */
export function clipped(polygon: readonly Point[], halfWidth: number, halfHeight: number): Point[] {
  const sides: [nx: number, ny: number, most: number][] = [
    [1, 0, halfWidth],
    [-1, 0, halfWidth],
    [0, 1, halfHeight],
    [0, -1, halfHeight],
  ];
  return sides.reduce<readonly Point[]>((left, [nx, ny, most]) => {
    const beyond = ([x, y]: Point): number => nx * x + ny * y - most;
    return left.flatMap((point, i) => {
      const next = left[(i + 1) % left.length];
      const [here, there] = [beyond(point), beyond(next)];
      const kept: Point[] = here <= 0 ? [point] : [];
      if (here * there >= 0) return kept;
      const t = here / (here - there);
      return [...kept, [point[0] + t * (next[0] - point[0]), point[1] + t * (next[1] - point[1])] as Point];
    });
  }, polygon) as Point[];
}

export function areaOf(polygon: readonly Point[]): number {
  return (
    polygon.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = polygon[(i + 1) % polygon.length];
      return sum + x * nextY - nextX * y;
    }, 0) / 2
  );
}
