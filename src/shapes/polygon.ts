/**
 * Convex polygons. The hull of points by monotone chains (Andrew, "Another Efficient Algorithm for Convex Hulls in Two
 * Dimensions", 1979) with exact orientation tests, and the corners that can be its support, by direction
 * (shaders/planar/support.wgsl).
 */
import { orient2d } from 'robust-predicates';

/**
 * The numbers of the points that are corners of their hull, counter-clockwise from the lowest of the leftmost points.
 * Points on edges are left out. If several points coincide, the first one counts. `points` has x, y per point, and at
 * least one point.
 */
export function hullCorners(points: ArrayLike<number>): number[] {
  const order = Array.from({ length: points.length / 2 }, (_, i) => i);
  order.sort((a, b) => points[2 * a] - points[2 * b] || points[2 * a + 1] - points[2 * b + 1] || a - b);
  const distinct = order.filter((point, i) => i === 0 || !isSame(points, point, order[i - 1]));
  if (distinct.length < 3) return distinct;
  const lower = chain(points, distinct);
  const upper = chain(points, distinct.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function isSame(points: ArrayLike<number>, a: number, b: number): boolean {
  return points[2 * a] === points[2 * b] && points[2 * a + 1] === points[2 * b + 1];
}

function chain(points: ArrayLike<number>, order: readonly number[]): number[] {
  const corners: number[] = [];
  for (const point of order) {
    while (corners.length > 1 && !isLeft(points, corners[corners.length - 2], corners[corners.length - 1], point))
      corners.pop();
    corners.push(point);
  }
  return corners;
}

/** Whether c lies to the left of the line from a to b. The predicate is positive where it lies to the right. */
function isLeft(p: ArrayLike<number>, a: number, b: number, c: number): boolean {
  return orient2d(p[2 * a], p[2 * a + 1], p[2 * b], p[2 * b + 1], p[2 * c], p[2 * c + 1]) < 0;
}

/** x, y of the outward unit normal of each edge; edge i runs from corner i to the next. */
export function edgeNormals(vertices: ArrayLike<number>): Float64Array {
  const count = vertices.length / 2;
  const normals = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const x = vertices[2 * next] - vertices[2 * i];
    const y = vertices[2 * next + 1] - vertices[2 * i + 1];
    const longest = Math.max(Math.abs(x), Math.abs(y));
    const length = longest * Math.hypot(x / longest, y / longest);
    normals[2 * i] = y / length;
    normals[2 * i + 1] = -x / length;
  }
  return normals;
}

/**
 * Cosine of the greatest angle between the normals of neighbouring edges in a polygon with wide angles: 150 degrees.
 */
const WIDE_ANGLE_COSINE = -0.866;

/** Whether no edge turns by nearly half a turn from the edge before it: no corner is a sharp tip. */
export function hasWideAngles(normals: ArrayLike<number>): boolean {
  const last = normals.length - 2;
  for (let i = 0; i <= last; i += 2) {
    const next = i === last ? 0 : i + 2;
    if (!(normals[i] * normals[next] + normals[i + 1] * normals[next + 1] > WIDE_ANGLE_COSINE)) return false;
  }
  return true;
}

/**
 * The number of the point that lies deepest inside the hull, and its least distance from an edge. The distance is 0 if
 * all points lie on edges.
 */
export function deepestInside(
  points: ArrayLike<number>,
  corners: readonly number[],
  normals: ArrayLike<number>,
): { point: number; depth: number } {
  const isCorner = new Uint8Array(points.length / 2);
  for (const corner of corners) isCorner[corner] = 1;
  const deepest = { point: 0, depth: 0 };
  for (let p = 0; p < isCorner.length; p++) {
    if (isCorner[p]) continue;
    let least = Infinity;
    corners.forEach((corner, i) => {
      least = Math.min(
        least,
        normals[2 * i] * (points[2 * corner] - points[2 * p]) +
          normals[2 * i + 1] * (points[2 * corner + 1] - points[2 * p + 1]),
      );
    });
    if (least > deepest.depth) {
      deepest.point = p;
      deepest.depth = least;
    }
  }
  return deepest;
}

/**
 * The cell of the square |x|, |y| <= 1 through which a direction passes. The square has `side` cells per side, numbered
 * counter-clockwise from (1, -1). Any cell for a direction that is zero or not a number.
 */
export function cellOf(x: number, y: number, side: number): number {
  let place = y / x;
  let quarter = x < 0 ? 2 : 0;
  if (Math.abs(y) > Math.abs(x)) {
    place = -x / y;
    quarter = y < 0 ? 3 : 1;
  }
  // What is no number becomes 0.
  const at = ((place * 0.5 + 0.5) * side) | 0;
  return quarter * side + Math.min(Math.max(at, 0), side - 1);
}

/** Cells per side of the square, for a number of corners. */
function cellsOnSide(cornerCount: number): number {
  return Math.trunc((cornerCount + 3) / 4);
}

/**
 * The number of the support at the beginning of each cell, and at the end of the last one. The numbers keep increasing
 * past the last corner.
 */
export function supportCells(vertices: ArrayLike<number>): Uint32Array {
  const count = vertices.length / 2;
  const side = cellsOnSide(count);
  const starts = new Uint32Array(4 * side + 1);
  const ascends = (number: number, x: number, y: number): boolean => {
    const i = number % count;
    const next = (i + 1) % count;
    return (vertices[2 * next] - vertices[2 * i]) * x + (vertices[2 * next + 1] - vertices[2 * i + 1]) * y > 0;
  };
  let corner = 0;
  for (let i = 1; i < count; i++)
    if (vertices[2 * i] - vertices[2 * i + 1] > vertices[2 * corner] - vertices[2 * corner + 1]) corner = i;
  // Start from the first of several equally far corners, since the last cell ends at the last of them.
  while (!ascends(corner + count - 1, 1, -1) && isAsFar(vertices, corner, count)) corner = (corner + count - 1) % count;
  for (let cell = 0; cell <= 4 * side; cell++) {
    const quarter = Math.trunc(cell / side) % 4;
    const place = (2 * (cell % side)) / side - 1;
    const [x, y] = [
      [1, place],
      [-place, 1],
      [-1, -place],
      [place, -1],
    ][quarter];
    while (ascends(corner, x, y)) corner++;
    starts[cell] = corner;
  }
  return starts;
}

/** Whether the corner before is as far along (1, -1). */
function isAsFar(vertices: ArrayLike<number>, corner: number, count: number): boolean {
  const before = (corner + count - 1) % count;
  return vertices[2 * before] - vertices[2 * before + 1] === vertices[2 * corner] - vertices[2 * corner + 1];
}
