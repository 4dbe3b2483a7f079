/**
 * Triangles each of which lies in the plane of the other or is collinear. Decisions are exact, in a projection along an
 * axis. The common area is a convex polygon, whose corners are those corners of either triangle that are in the other,
 * and the points where two edges cross.
 */
import { preciseArea } from './precise.ts';
import { NEXT, PREVIOUS, area, haveSameSign, volume } from './predicates.ts';

/**
 * An axis along which the projection keeps the points of a plane through all corners apart, if there is such a plane.
 * For corners on one line it is any axis.
 */
export function clearAxis(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const axis = axisOfNormal(a) ?? axisOfNormal(b);
  if (axis !== undefined) return axis;
  for (let k = 0; k < 3; k++)
    if (!isOnLine(a, a, k) || !isOnLine(b, b, k) || !isOnLine(a, b, k) || !isOnLine(b, a, k)) return k;
  return 0;
}

/** The axis of the normal's greatest component, if it is certainly not 0: the triangle has an inside then. */
export function axisOfNormal(t: ArrayLike<number>): number | undefined {
  let axis: number | undefined;
  let most = 0;
  for (let k = 0; k < 3; k++) {
    const i = NEXT[k];
    const j = PREVIOUS[k];
    const first = (t[3 + i] - t[i]) * (t[6 + j] - t[j]);
    const second = (t[3 + j] - t[j]) * (t[6 + i] - t[i]);
    const size = Math.abs(first - second);
    // Each product passes three roundings, and their difference one.
    if (size <= 1.001 * 4 * 2 ** -53 * (Math.abs(first) + Math.abs(second)) || size <= most) continue;
    axis = k;
    most = size;
  }
  return axis;
}

/** Whether the projection along `axis` has each edge of a triangle on one line with all corners of the other. */
function isOnLine(t: ArrayLike<number>, other: ArrayLike<number>, axis: number): boolean {
  for (let p = 0; p < 9; p += 3)
    for (let q = 0; q < 9; q += 3) if (area(t, p, t, following(p), other, q, axis) !== 0) return false;
  return true;
}

/** The place of the next corner of a triangle. */
function following(p: number): number {
  return p === 6 ? 0 : p + 3;
}

/** Whether all corners lie in one plane. It is so unless both triangles are segments. */
export function areInOnePlane(a: ArrayLike<number>, b: ArrayLike<number>, axis: number): boolean {
  if (area(a, 0, a, 3, a, 6, axis) !== 0 || area(b, 0, b, 3, b, 6, axis) !== 0) return true;
  for (let p = 0; p < 9; p += 3)
    for (let q = 0; q < 9; q += 3) if (volume(a, p, a, following(p), b, q, b, following(q)) !== 0) return false;
  return true;
}

/**
 * Whether triangles in a plane share a point. They are apart along a coordinate, which is enough for corners on one
 * line, or across an edge.
 */
export function meetInPlane(a: ArrayLike<number>, b: ArrayLike<number>, axis: number): boolean {
  for (let k = 0; k < 3; k++) if (isBelow(a, b, k) || isBelow(b, a, k)) return false;
  for (let p = 0; p < 9; p += 3) if (isApartAcross(a, p, b, axis) || isApartAcross(b, p, a, axis)) return false;
  return true;
}

function isBelow(a: ArrayLike<number>, b: ArrayLike<number>, k: number): boolean {
  return Math.max(a[k], a[3 + k], a[6 + k]) < Math.min(b[k], b[3 + k], b[6 + k]);
}

/** Whether all of `other` is beyond the edge of a triangle that begins at p. */
function isApartAcross(t: ArrayLike<number>, p: number, other: ArrayLike<number>, axis: number): boolean {
  const q = following(p);
  const side = area(t, p, t, q, other, 0, axis);
  return (
    haveSameSign(side, area(t, p, t, q, other, 3, axis)) &&
    haveSameSign(side, area(t, p, t, q, other, 6, axis)) &&
    !haveSameSign(side, area(t, p, t, q, t, following(q), axis))
  );
}

/** Corners of the common area: six of triangles and nine crossings of edges at most. */
const corners = new Float64Array(45);
/** For each edge of a triangle, the areas that it spans with the three corners of the other one. */
const areasA = new Float64Array(9);
const areasB = new Float64Array(9);

/** Writes both ends of a longest segment in the common area of triangles in a plane that share a point. */
export function commonExtent(a: ArrayLike<number>, b: ArrayLike<number>, axis: number, segment: Float64Array): void {
  for (let p = 0; p < 9; p += 3) {
    for (let i = 0; i < 3; i++) {
      areasA[p + i] = area(a, p, a, following(p), b, 3 * i, axis);
      areasB[p + i] = area(b, p, b, following(p), a, 3 * i, axis);
    }
  }
  let size = 0;
  for (let i = 0; i < 3; i++) {
    if (holds(b, areasB, a, i)) size = putCorner(a, 3 * i, corners, size);
    if (holds(a, areasA, b, i)) size = putCorner(b, 3 * i, corners, size);
  }
  // Two segments cross in one point, however many of their edges have it.
  const areSegments = area(a, 0, a, 3, a, 6, axis) === 0 && area(b, 0, b, 3, b, 6, axis) === 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) if (!areSegments || size === 0) size = putCrossing(a, i, b, j, axis, size);
  let longest = -1;
  for (let p = 0; p < size; p += 3) {
    for (let q = p; q < size; q += 3) {
      const x = corners[q] - corners[p];
      const y = corners[q + 1] - corners[p + 1];
      const z = corners[q + 2] - corners[p + 2];
      const extent = x * x + y * y + z * z;
      if (extent <= longest) continue;
      longest = extent;
      for (let k = 0; k < 3; k++) {
        segment[k] = corners[p + k];
        segment[3 + k] = corners[q + k];
      }
    }
  }
}

/** Whether a triangle holds corner i of the other one. The box decides about triangles without an inside. */
function holds(t: ArrayLike<number>, areas: Float64Array, other: ArrayLike<number>, i: number): boolean {
  const first = areas[i];
  const second = areas[3 + i];
  const third = areas[6 + i];
  if (!(first >= 0 && second >= 0 && third >= 0) && !(first <= 0 && second <= 0 && third <= 0)) return false;
  for (let k = 0; k < 3; k++) {
    const x = other[3 * i + k];
    if (x < Math.min(t[k], t[3 + k], t[6 + k]) || x > Math.max(t[k], t[3 + k], t[6 + k])) return false;
  }
  return true;
}

/** Adds the point where the edges from corners i and j cross, if each has the ends of the other on both sides. */
function putCrossing(
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  axis: number,
  size: number,
): number {
  if (!haveSameSign(areasA[3 * i + j], -areasA[3 * i + NEXT[j]])) return size;
  if (!haveSameSign(areasB[3 * j + i], -areasB[3 * j + NEXT[i]])) return size;
  const start = 3 * i;
  const end = 3 * NEXT[i];
  const heightP = Math.abs(preciseArea(b, 3 * j, 3 * NEXT[j], a, start, axis));
  const heightQ = Math.abs(preciseArea(b, 3 * j, 3 * NEXT[j], a, end, axis));
  return putBetween(a, { p: start, q: end, heightP, heightQ }, corners, size);
}

/** Writes the corner p, and returns where the next point goes. */
export function putCorner(t: ArrayLike<number>, p: number, to: Float64Array, at: number): number {
  for (let k = 0; k < 3; k++) to[at + k] = t[p + k];
  return at + 3;
}

/** An edge of a triangle from corner p to corner q, and their heights over what it crosses. */
export interface CrossedEdge {
  p: number;
  q: number;
  heightP: number;
  heightQ: number;
}

/** Writes the point of an edge whose distances from the ends are as their heights, and returns where the next goes. */
export function putBetween(
  t: ArrayLike<number>,
  { p, q, heightP, heightQ }: CrossedEdge,
  to: Float64Array,
  at: number,
): number {
  // From the nearer one, whose coordinates the point has most of.
  const isNearP = heightP <= heightQ;
  const near = isNearP ? p : q;
  const far = isNearP ? q : p;
  const share = heightP === heightQ ? 0.5 : Math.min(heightP, heightQ) / (heightP + heightQ);
  for (let k = 0; k < 3; k++) to[at + k] = t[near + k] + (t[far + k] - t[near + k]) * share;
  return at + 3;
}
