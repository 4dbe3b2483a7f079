/**
 * Divides polygons in space into triangles, each n-gon into n - 2 with its own winding: convex ones into a fan around
 * their first corner, others by ear clipping (Meisters 1975).
 *
 * Turns are judged in the coordinate plane in which the polygon appears largest, with exact predicates: projections only
 * drop a coordinate, so nothing is rounded, and a simple polygon always has an ear. A polygon that crosses itself may
 * have none. Then the next corner is cut off all the same, which still covers every edge.
 */

import { orient2d } from 'robust-predicates';
import { refuseAsTooLarge } from './refusal.ts';

/** Most corners of a polygon that is not convex: the time grows with their square. */
const MAX_CORNERS = 8192;

/** Gets the three corners of each triangle. */
type AddTriangle = (a: number, b: number, c: number) => void;

/** `corners` are vertex indices into `positions`. */
export function dividePolygon(positions: Float64Array, corners: Uint32Array, add: AddTriangle): void {
  const n = corners.length;
  if (n > 3) {
    const flat = project(positions, corners);
    if (!isConvex(flat)) {
      if (n > MAX_CORNERS)
        refuseAsTooLarge(`a polygon that is not convex has ${n} corners, expected at most ${MAX_CORNERS}`);
      return clipEars(flat, (i, j, k) => add(corners[i], corners[j], corners[k]));
    }
  }
  for (let i = 1; i + 1 < n; i++) add(corners[0], corners[i], corners[i + 1]);
}

/** x, y of each corner, counter-clockwise as a whole. */
function project(positions: Float64Array, corners: Uint32Array): Float64Array {
  const [u, v] = planeOf(positions, corners);
  const flat = new Float64Array(2 * corners.length);
  corners.forEach((vertex, i) => {
    flat[2 * i] = positions[3 * vertex + u];
    flat[2 * i + 1] = positions[3 * vertex + v];
  });
  return flat;
}

/** The axes of the plane in which the polygon's area is largest, in the order that makes it positive (Newell). */
function planeOf(positions: Float64Array, corners: Uint32Array): [number, number] {
  const n = corners.length;
  const area = [0, 0, 0];
  const first = 3 * corners[0];
  for (let i = 1; i + 1 < n; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const [b, c] = [3 * corners[i], 3 * corners[i + 1]];
      area[axis] +=
        (positions[b + u] - positions[first + u]) * (positions[c + v] - positions[first + v]) -
        (positions[b + v] - positions[first + v]) * (positions[c + u] - positions[first + u]);
    }
  }
  const sizes = area.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const plane: [number, number] = [(axis + 1) % 3, (axis + 2) % 3];
  return area[axis] < 0 ? [plane[1], plane[0]] : plane;
}

/** Positive if corners i, j, k turn left. */
function turnOf(flat: Float64Array, i: number, j: number, k: number): number {
  // orient2d is positive for a right turn in a frame whose y axis points up.
  return -orient2d(flat[2 * i], flat[2 * i + 1], flat[2 * j], flat[2 * j + 1], flat[2 * k], flat[2 * k + 1]);
}

/** Whether no corner turns right and the boundary goes around once. */
function isConvex(flat: Float64Array): boolean {
  const n = flat.length / 2;
  for (let i = 0; i < n; i++) if (turnOf(flat, i, (i + 1) % n, (i + 2) % n) < 0) return false;
  // Around a convex polygon, x changes its direction twice. A star that only turns left does so more often.
  let changes = 0;
  let last = 0;
  for (let i = 0; i < 2 * n; i++) {
    const direction = Math.sign(flat[2 * ((i + 1) % n)] - flat[2 * (i % n)]);
    if (direction === 0) continue;
    if (i >= n && last !== 0 && direction !== last) changes++;
    last = direction;
  }
  return changes <= 2;
}

function clipEars(flat: Float64Array, add: AddTriangle): void {
  const n = flat.length / 2;
  const next = Int32Array.from({ length: n }, (_, i) => (i + 1) % n);
  const previous = Int32Array.from({ length: n }, (_, i) => (i + n - 1) % n);
  const ears = Uint8Array.from({ length: n }, (_, i) => Number(isEar(flat, previous, next, i)));
  let at = 0;
  for (let left = n; left > 3; left--) {
    for (let tries = 0; tries < left && ears[at] === 0; tries++) at = next[at];
    const [a, c] = [previous[at], next[at]];
    add(a, at, c);
    next[a] = c;
    previous[c] = a;
    // Cutting an ear off changes no other corners.
    ears[a] = Number(isEar(flat, previous, next, a));
    ears[c] = Number(isEar(flat, previous, next, c));
    at = c;
  }
  add(previous[at], at, next[at]);
}

/**
 * Whether the triangle of a corner and its neighbours can be cut off: it turns left and no other corner is in it. At a
 * corner on a straight line the triangle is empty.
 */
function isEar(flat: Float64Array, previous: Int32Array, next: Int32Array, at: number): boolean {
  const [a, c] = [previous[at], next[at]];
  const turn = turnOf(flat, a, at, c);
  if (turn <= 0) return turn === 0;
  for (let i = next[c]; i !== a; i = next[i]) {
    if (isSame(flat, i, a) || isSame(flat, i, at) || isSame(flat, i, c)) continue;
    if (turnOf(flat, a, at, i) < 0 || turnOf(flat, at, c, i) < 0 || turnOf(flat, c, a, i) < 0) continue;
    return false;
  }
  return true;
}

function isSame(flat: Float64Array, i: number, j: number): boolean {
  return flat[2 * i] === flat[2 * j] && flat[2 * i + 1] === flat[2 * j + 1];
}
