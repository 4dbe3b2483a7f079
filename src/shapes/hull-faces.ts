/**
 * Merges the triangles of a hull into polygonal faces.
 *
 * A face grows from the largest free triangle over its edges, one triangle at a time, always keeping every vertex on its
 * loop: a triangle joins over one edge and only if its apex is new to the loop. So a face stays a disk, each merge takes
 * one edge and one face away (Euler's formula holds on), no vertex loses its last edge, and a face whose corners are all
 * extreme is always completed. A vertex that sticks out of the middle of a face keeps the face from closing around it.
 *
 * Beyond that, a triangle must lie in the face's plane as far as rounding to f32 can tell:
 * - the loop's width along the face's normal (the sum of the triangles' area vectors) is within tolerance;
 * - the triangle's own normal is near the face's: on a part of the hull that is itself of the tolerance's size (the
 *   rim of a thin plate, a needle's tip), where the width says nothing, this keeps the sides apart;
 * - the loop stays convex seen along the normal, so that a face can be clipped against.
 */

import { areaVector } from './hull-lattice.ts';
import { nextHalfEdge, previousHalfEdge, type HullTriangles } from './hull-triangles.ts';

/** Least cosine between the normals of a triangle and of the face it joins: 18 degrees. */
const MIN_COSINE = 0.95;

/** Largest sine of a reflex angle on a loop: f32-rounded points along a straight side may dent it. */
const MAX_REFLEX_SINE = 2 ** -20;

/** Faces as vertex loops, face f being `vertices[start[f] .. start[f + 1]]`, counter-clockwise from outside. */
export interface MergedFaces {
  start: Uint32Array;
  vertices: Uint32Array;
  /** Outward unit normal, 3 a face. */
  normals: Float64Array;
  /** Face of each triangle. */
  faceOf: Int32Array;
}

/**
 * `tolerance` is how far rounding may have moved a vertex along x, y and z; along a normal n it is Σ|nᵢ| toleranceᵢ.
 * Points and tolerance are in one unit; every point in `surface.corners` must be an extreme one.
 */
export function mergeFaces(points: Float64Array, surface: HullTriangles, tolerance: ArrayLike<number>): MergedFaces {
  const { corners, twins } = surface;
  const triangles = corners.length / 3;
  const areas = new Float64Array(corners.length);
  const lengths = new Float64Array(triangles);
  for (let t = 0; t < triangles; t++) {
    areaVector(points, corners[3 * t], corners[3 * t + 1], corners[3 * t + 2], areas, 3 * t);
    lengths[t] = Math.hypot(areas[3 * t], areas[3 * t + 1], areas[3 * t + 2]);
  }

  const faceOf = new Int32Array(triangles).fill(-1);
  const onLoop = new Int32Array(points.length / 3).fill(-1);
  const next = new Int32Array(points.length / 3);
  const previous = new Int32Array(points.length / 3);
  const start = [0];
  const vertices: number[] = [];
  const normals: number[] = [];

  const grow = (seed: number, face: number): void => {
    const origin = corners[3 * seed];
    const loop: number[] = [];
    let area = areas.slice(3 * seed, 3 * seed + 3);
    // Heights of the loop over `origin` along `normal` lie in [low, high], and its points within `reach` of `origin`.
    let normal = unit(area);
    let [low, high, reach] = [0, 0, 0];

    const insert = (vertex: number, before: number, after: number): void => {
      next[before] = previous[after] = vertex;
      next[vertex] = after;
      previous[vertex] = before;
      onLoop[vertex] = face;
      loop.push(vertex);
      const h = rise(points, normal, origin, vertex);
      low = Math.min(low, h);
      high = Math.max(high, h);
      reach = Math.max(reach, distance(points, origin, vertex));
    };

    /** Whether loop and apex are flat along n. All heights are measured only when a bound from the last time fails. */
    const isFlat = (apex: number, n: Float64Array): boolean => {
      const allowed = 1 + Math.abs(n[0]) * tolerance[0] + Math.abs(n[1]) * tolerance[1] + Math.abs(n[2]) * tolerance[2];
      const turn = Math.hypot(n[0] - normal[0], n[1] - normal[1], n[2] - normal[2]);
      const h = rise(points, normal, origin, apex);
      const farther = Math.max(reach, distance(points, origin, apex));
      if (Math.max(high, h) - Math.min(low, h) + 2 * turn * farther <= allowed) return true;
      const along = rise(points, n, origin, apex);
      let [newLow, newHigh] = [Math.min(0, along), Math.max(0, along)];
      for (const vertex of loop) {
        const r = rise(points, n, origin, vertex);
        newLow = Math.min(newLow, r);
        newHigh = Math.max(newHigh, r);
      }
      if (newHigh - newLow > allowed) return false;
      normal = n;
      low = newLow;
      high = newHigh;
      return true;
    };

    /** Takes the triangle across half-edge h of the loop in, if it belongs to the face; false: not as the face is now. */
    const join = (h: number): boolean => {
      const t = (twins[h] / 3) | 0;
      const apex = corners[previousHalfEdge(twins[h])];
      if (faceOf[t] >= 0 || onLoop[apex] === face) return true;
      const from = corners[h];
      const to = corners[nextHalfEdge(h)];
      const grown = area.map((value, i) => value + areas[3 * t + i]);
      const n = unit(grown);
      const along = n[0] * areas[3 * t] + n[1] * areas[3 * t + 1] + n[2] * areas[3 * t + 2];
      if (along < MIN_COSINE * lengths[t]) return false;
      if (turnSine(points, previous[from], from, apex, n) < -MAX_REFLEX_SINE) return false;
      if (turnSine(points, apex, to, next[to], n) < -MAX_REFLEX_SINE) return false;
      if (!isFlat(apex, n)) return false;
      area = grown;
      faceOf[t] = face;
      insert(apex, from, to);
      frontier.push(nextHalfEdge(twins[h]), previousHalfEdge(twins[h]));
      return true;
    };

    faceOf[seed] = face;
    for (let i = 0; i < 3; i++) insert(corners[3 * seed + i], corners[3 * seed + ((i + 2) % 3)], corners[3 * seed + ((i + 1) % 3)]);
    const frontier = [3 * seed, 3 * seed + 1, 3 * seed + 2];
    // A triangle refused may fit a larger face, whose normal is better known: try again as long as the face grows.
    for (let size = 0; size < loop.length; ) {
      size = loop.length;
      const refused: number[] = [];
      for (let h = frontier.pop(); h !== undefined; h = frontier.pop()) if (!join(h)) refused.push(h);
      if (loop.length > size) frontier.push(...refused);
    }

    let vertex = origin;
    do {
      vertices.push(vertex);
      vertex = next[vertex];
    } while (vertex !== origin);
    start.push(vertices.length);
    normals.push(...unit(area));
  };

  const order = Uint32Array.from(lengths.keys()).sort((s, t) => lengths[t] - lengths[s] || s - t);
  let faces = 0;
  for (const seed of order) if (faceOf[seed] < 0) grow(seed, faces++);
  return { start: Uint32Array.from(start), vertices: Uint32Array.from(vertices), normals: Float64Array.from(normals), faceOf };
}

/** n · (to − from). */
function rise(points: Float64Array, n: ArrayLike<number>, from: number, to: number): number {
  return (
    n[0] * (points[3 * to] - points[3 * from]) +
    n[1] * (points[3 * to + 1] - points[3 * from + 1]) +
    n[2] * (points[3 * to + 2] - points[3 * from + 2])
  );
}

function distance(points: Float64Array, p: number, q: number): number {
  return Math.hypot(points[3 * q] - points[3 * p], points[3 * q + 1] - points[3 * p + 1], points[3 * q + 2] - points[3 * p + 2]);
}

/** Sine of the left turn that the path p, q, r makes at q, seen along −n. */
function turnSine(points: Float64Array, p: number, q: number, r: number, n: ArrayLike<number>): number {
  const cross = [0, 0, 0];
  areaVector(points, p, q, r, cross, 0);
  return (cross[0] * n[0] + cross[1] * n[1] + cross[2] * n[2]) / (distance(points, p, q) * distance(points, q, r));
}

function unit(v: Float64Array): Float64Array {
  const length = Math.hypot(v[0], v[1], v[2]);
  return v.map((value) => value / length);
}
