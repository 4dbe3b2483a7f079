/**
 * The distance of two triangles by brute force: the least of the distances of their edges and of corners from insides, or
 * 0 if an edge goes through the other triangle. Rounded by about 1e-15 of the coordinates, for slivers by 1e-8.
 */
type Point = readonly [number, number, number];

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: Point, d: Point, t: number): Point => [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** `a` and `b` hold three corners each, 9 numbers, from these places on. */
export function triangleGap(a: Float64Array, atA: number, b: Float64Array, atB: number): number {
  const cornersA = cornersOf(a, atA);
  const cornersB = cornersOf(b, atB);
  let least = Math.min(insideGap(cornersA, cornersB), insideGap(cornersB, cornersA));
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      least = Math.min(least, segmentGap(cornersA[i], cornersA[(i + 1) % 3], cornersB[j], cornersB[(j + 1) % 3]));
    }
  }
  return least;
}

function cornersOf(from: Float64Array, at: number): Point[] {
  return [0, 3, 6].map((k): Point => [from[at + k], from[at + k + 1], from[at + k + 2]]);
}

/** The least distance of a corner of `points` that is above or below the inside of a triangle, 0 if an edge goes through. */
function insideGap(points: readonly Point[], [a, b, c]: readonly Point[]): number {
  const n = cross(minus(b, a), minus(c, a));
  const size = Math.sqrt(dot(n, n));
  if (size === 0) return Infinity;
  const isInside = (p: Point): boolean =>
    [[a, b] as const, [b, c] as const, [c, a] as const].every(
      ([from, to]) => dot(cross(minus(to, from), minus(p, from)), n) >= 0,
    );
  let least = Infinity;
  points.forEach((p, i) => {
    const q = points[(i + 1) % 3];
    const heightP = dot(minus(p, a), n);
    const heightQ = dot(minus(q, a), n);
    if (isInside(p)) least = Math.min(least, Math.abs(heightP) / size);
    if (heightP * heightQ >= 0) return;
    if (isInside(along(p, minus(q, p), heightP / (heightP - heightQ)))) least = 0;
  });
  return least;
}

/** The distance of two segments: of their ends from each other's, and of the points where the lines are nearest. */
function segmentGap(p: Point, q: Point, r: Point, s: Point): number {
  const d = minus(q, p);
  const e = minus(s, r);
  let least = Math.min(pointGap(p, r, s), pointGap(q, r, s), pointGap(r, p, q), pointGap(s, p, q));
  const n = cross(d, e);
  const square = dot(n, n);
  if (square === 0) return least;
  const t = dot(cross(minus(r, p), e), n) / square;
  const u = dot(cross(minus(r, p), d), n) / square;
  if (t > 0 && t < 1 && u > 0 && u < 1) {
    const between = minus(along(p, d, t), along(r, e, u));
    least = Math.min(least, Math.sqrt(dot(between, between)));
  }
  return least;
}

function pointGap(point: Point, p: Point, q: Point): number {
  const d = minus(q, p);
  const square = dot(d, d);
  const t = square > 0 ? Math.max(0, Math.min(dot(minus(point, p), d) / square, 1)) : 0;
  const between = minus(point, along(p, d, t));
  return Math.sqrt(dot(between, between));
}
