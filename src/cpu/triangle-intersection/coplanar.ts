/**
 * Triangles each of which lies in the plane of the other or is collinear, decided exactly in a projection along an axis.
 * Their common area is a convex polygon. Its corners are those corners of either triangle that are in the other, and the
 * points where two edges cross.
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

/** The axis of the normal's greatest component, if it is certainly not 0. */
function axisOfNormal(t: ArrayLike<number>): number | undefined {
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

/** Corners of the common area: six of triangles, or fewer and crossings of edges, of which there are at most nine. */
const corners = new Float64Array(45);

/** Writes both ends of a longest segment in the common area of triangles in a plane that share a point. */
export function commonExtent(a: ArrayLike<number>, b: ArrayLike<number>, axis: number, segment: Float64Array): void {
  let size = 0;
  for (let p = 0; p < 9; p += 3) {
    if (holds(b, a, p, axis)) size = putCorner(a, p, size);
    if (holds(a, b, p, axis)) size = putCorner(b, p, size);
    for (let q = 0; q < 9; q += 3) size = putCrossing(a, p, b, q, axis, size);
  }
  let longest = -1;
  for (let p = 0; p < size; p += 3) {
    for (let q = p; q < size; q += 3) {
      const extent =
        (corners[p] - corners[q]) ** 2 +
        (corners[p + 1] - corners[q + 1]) ** 2 +
        (corners[p + 2] - corners[q + 2]) ** 2;
      if (extent <= longest) continue;
      longest = extent;
      for (let k = 0; k < 3; k++) {
        segment[k] = corners[p + k];
        segment[3 + k] = corners[q + k];
      }
    }
  }
}

/** Whether a triangle holds a point of its plane. The box decides about triangles without an inside. */
function holds(t: ArrayLike<number>, points: ArrayLike<number>, p: number, axis: number): boolean {
  for (let k = 0; k < 3; k++) {
    const x = points[p + k];
    if (x < Math.min(t[k], t[3 + k], t[6 + k]) || x > Math.max(t[k], t[3 + k], t[6 + k])) return false;
  }
  const first = area(t, 0, t, 3, points, p, axis);
  const second = area(t, 3, t, 6, points, p, axis);
  const third = area(t, 6, t, 0, points, p, axis);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}

function putCorner(t: ArrayLike<number>, p: number, size: number): number {
  for (let k = 0; k < 3; k++) corners[size + k] = t[p + k];
  return size + 3;
}

/** Adds the point where the edges that begin at p and q cross, if each has the ends of the other on both sides. */
function putCrossing(
  a: ArrayLike<number>,
  p: number,
  b: ArrayLike<number>,
  q: number,
  axis: number,
  size: number,
): number {
  const endA = following(p);
  const endB = following(q);
  if (!haveSameSign(area(b, q, b, endB, a, p, axis), -area(b, q, b, endB, a, endA, axis))) return size;
  if (!haveSameSign(area(a, p, a, endA, b, q, axis), -area(a, p, a, endA, b, endB, axis))) return size;
  putBetween(
    a,
    p,
    endA,
    Math.abs(preciseArea(b, q, endB, a, p, axis)),
    Math.abs(preciseArea(b, q, endB, a, endA, axis)),
    corners,
    size,
  );
  return size + 3;
}

/** Writes the point between p and q whose distances from them are as these heights. It is p or q if its height is 0. */
export function putBetween(
  t: ArrayLike<number>,
  p: number,
  q: number,
  heightP: number,
  heightQ: number,
  to: Float64Array,
  at: number,
): void {
  const isNearP = heightP <= heightQ;
  const near = isNearP ? p : q;
  const far = isNearP ? q : p;
  const share = heightP === heightQ ? 0.5 : Math.min(heightP, heightQ) / (heightP + heightQ);
  for (let k = 0; k < 3; k++) to[at + k] = t[near + k] + (t[far + k] - t[near + k]) * share;
}
