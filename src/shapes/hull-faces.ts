/**
 * Merges the triangles of a hull into polygonal faces by removing edges.
 *
 * 1. Edges between exactly coplanar triangles are removed. This gives the facets of the polytope.
 * 2. A face grows from the largest free facet over its edges, one facet at a time. A facet joins over one edge, and
 *    only if its other vertices are new to the loop. So faces stay disks and loops stay simple, each merge removes one
 *    edge and one face (Euler's formula still holds), and every vertex stays on a loop and keeps an edge. A nominally
 *    flat face whose corners are all extreme is always completed. A vertex that sticks out of a face's middle keeps the
 *    face from closing around it.
 *
 * In addition, a facet must lie in the face's plane as far as rounding to f32 can tell:
 * - the loop's width along the face's normal (the sum of the facets' area vectors) is within tolerance;
 * - the facet's own normal is near the face's. On a part of the hull as small as the tolerance (the rim of a thin
 *   plate, a needle's tip) the width says nothing, and this keeps the sides apart;
 * - the loop stays convex seen along the normal, so that a face can be clipped against.
 */

import { makeGaussMap, type GaussArcs } from './gauss-map.ts';
import { areaVector } from './hull-lattice.ts';
import { nextHalfEdge, previousHalfEdge, type HullTriangles } from './hull-triangles.ts';

/** Least cosine between the normals of a facet and of the face it joins: 18 degrees. */
const MIN_COSINE = 0.95;

/**
 * Largest sine of a reflex angle on a loop. Points along a straight side that are rounded to f32 may form such a dent.
 */
const MAX_REFLEX_SINE = 2 ** -20;

/** Faces as vertex loops, face f being `vertices[start[f] .. start[f + 1]]`, counter-clockwise from outside. */
export interface MergedFaces {
  start: Uint32Array;
  vertices: Uint32Array;
  /** Outward unit normal, 3 numbers per face. */
  normals: Float64Array;
  /** 1 for the half-edges that are inside faces. */
  inside: Uint8Array;
  /** The Gauss map of the facets before merging. */
  gaussMap: GaussArcs;
}

/**
 * `tolerance` is the distance by which rounding may have moved a vertex along x, y and z. Along a normal n it is Σ|nᵢ|
 * toleranceᵢ. Points and tolerance are in lattice steps. Every vertex of the surface must be a corner of the hull.
 */
export function mergeFaces(points: Float64Array, surface: HullTriangles, tolerance: ArrayLike<number>): MergedFaces {
  const { corners, twins } = surface;
  const next = Int32Array.from(corners, (_, h) => nextHalfEdge(h));
  const previous = Int32Array.from(corners, (_, h) => previousHalfEdge(h));
  const inside = new Uint8Array(corners.length);
  const removeEdge = (h: number): void => {
    const t = twins[h];
    for (const [before, after] of [
      [previous[h], next[t]],
      [previous[t], next[h]],
    ]) {
      next[before] = after;
      previous[after] = before;
    }
    inside[h] = inside[t] = 1;
  };
  for (let h = 0; h < corners.length; h++) if (surface.flat[h] === 1 && h < twins[h]) removeEdge(h);

  // The facet of each half-edge; and for each facet one of its half-edges, its area vector and the vector's length.
  const facetOf = new Int32Array(corners.length).fill(-1);
  const firstOf: number[] = [];
  const areas: number[] = [];
  const lengths: number[] = [];
  const triangle = [0, 0, 0];
  for (let h = 0; h < corners.length; h++) {
    if (inside[h] === 1 || facetOf[h] >= 0) continue;
    const area = [0, 0, 0];
    for (let i = h; facetOf[i] < 0; i = next[i]) {
      facetOf[i] = firstOf.length;
      areaVector(points, corners[h], corners[i], corners[next[i]], triangle);
      for (let k = 0; k < 3; k++) area[k] += triangle[k];
    }
    firstOf.push(h);
    areas.push(...area);
    lengths.push(Math.hypot(area[0], area[1], area[2]));
  }

  const edges: number[] = [];
  for (let h = 0; h < corners.length; h++) {
    if (inside[h] === 0 && h < twins[h]) edges.push(corners[h], corners[next[h]], facetOf[h], facetOf[twins[h]]);
  }
  const gaussMap = makeGaussMap(
    points,
    areas.map((value, i) => value / lengths[(i / 3) | 0]),
    edges,
  );

  const faceOf = new Int32Array(firstOf.length).fill(-1);
  const onLoop = new Int32Array(points.length / 3).fill(-1);
  const faceAreas: number[] = [];

  const grow = (seed: number, face: number): void => {
    const origin = corners[firstOf[seed]];
    const loop: number[] = [];
    const frontier: number[] = [];
    let area = areas.slice(3 * seed, 3 * seed + 3);
    // Heights of the loop over `origin` along `normal` lie in [low, high]. Its points are within `reach` of `origin`.
    let normal = unit(area);
    let [low, high, reach] = [0, 0, 0];

    /** Adds the vertices and half-edges of a facet, from half-edge `first` up to but not including `end`. */
    const take = (first: number, end: number): void => {
      let h = first;
      do {
        frontier.push(h);
        const vertex = corners[h];
        if (onLoop[vertex] !== face) {
          onLoop[vertex] = face;
          loop.push(vertex);
          const up = rise(points, normal, origin, vertex);
          low = Math.min(low, up);
          high = Math.max(high, up);
          reach = Math.max(reach, distance(points, origin, vertex));
        }
        h = next[h];
      } while (h !== end);
    };

    /**
     * Whether loop and `added` are flat along n. It measures all heights only if the bound from an earlier measurement
     * fails.
     */
    const isFlat = (added: number[], n: number[]): boolean => {
      const allowed = 1 + Math.abs(n[0]) * tolerance[0] + Math.abs(n[1]) * tolerance[1] + Math.abs(n[2]) * tolerance[2];
      const turn = Math.hypot(n[0] - normal[0], n[1] - normal[1], n[2] - normal[2]);
      const [bottom, top] = heights(points, normal, origin, added);
      const farthest = added.reduce((most, vertex) => Math.max(most, distance(points, origin, vertex)), reach);
      if (Math.max(high, top) - Math.min(low, bottom) + 2 * turn * farthest <= allowed) return true;
      const [oldLow, oldHigh] = heights(points, n, origin, loop);
      const [newLow, newHigh] = heights(points, n, origin, added);
      if (Math.max(oldHigh, newHigh) - Math.min(oldLow, newLow) > allowed) return false;
      normal = n;
      [low, high] = [oldLow, oldHigh];
      return true;
    };

    /**
     * Adds the facet across half-edge h of the loop if it belongs to the face. Returns false if it doesn't fit the face
     * so far.
     */
    const join = (h: number): boolean => {
      const t = twins[h];
      const facet = facetOf[t];
      if (faceOf[facet] >= 0) return true;
      const added: number[] = [];
      for (let i = next[next[t]]; i !== t; i = next[i]) added.push(corners[i]);
      if (added.some((vertex) => onLoop[vertex] === face)) return true;

      const grown = area.map((value, i) => value + areas[3 * facet + i]);
      const n = unit(grown);
      const along = n[0] * areas[3 * facet] + n[1] * areas[3 * facet + 1] + n[2] * areas[3 * facet + 2];
      if (along < MIN_COSINE * lengths[facet]) return false;
      if (turnSine(points, corners[previous[h]], corners[h], added[0], n) < -MAX_REFLEX_SINE) return false;
      if (turnSine(points, added[added.length - 1], corners[t], corners[next[next[h]]], n) < -MAX_REFLEX_SINE)
        return false;
      if (!isFlat(added, n)) return false;
      area = grown;
      faceOf[facet] = face;
      take(next[t], t);
      removeEdge(h);
      return true;
    };

    faceOf[seed] = face;
    take(firstOf[seed], firstOf[seed]);
    // A facet that was rejected may fit the face once it is larger and its normal more precise: retry while the face
    // grows.
    for (let size = 0; size < loop.length;) {
      size = loop.length;
      const refused: number[] = [];
      for (let h = frontier.pop(); h !== undefined; h = frontier.pop()) if (!join(h)) refused.push(h);
      if (loop.length > size) frontier.push(...refused);
    }
    faceAreas.push(...area);
  };

  const order = [...lengths.keys()].sort((s, t) => lengths[t] - lengths[s] || s - t);
  let faces = 0;
  for (const seed of order) if (faceOf[seed] < 0) grow(seed, faces++);

  const start = [0];
  const vertices: number[] = [];
  const normals: number[] = [];
  const done = new Uint8Array(corners.length);
  for (let h = 0; h < corners.length; h++) {
    if (inside[h] === 1 || done[h] === 1) continue;
    for (let i = h; done[i] === 0; i = next[i]) {
      done[i] = 1;
      vertices.push(corners[i]);
    }
    start.push(vertices.length);
    const face = faceOf[facetOf[h]];
    normals.push(...unit(faceAreas.slice(3 * face, 3 * face + 3)));
  }
  const loops = { start: Uint32Array.from(start), vertices: Uint32Array.from(vertices) };
  return { ...loops, normals: Float64Array.from(normals), inside, gaussMap };
}

/** n · (to − from). */
function rise(points: Float64Array, n: number[], from: number, to: number): number {
  return (
    n[0] * (points[3 * to] - points[3 * from]) +
    n[1] * (points[3 * to + 1] - points[3 * from + 1]) +
    n[2] * (points[3 * to + 2] - points[3 * from + 2])
  );
}

/** Least and greatest height over `origin` along n, of the vertices and of `origin` itself. */
function heights(points: Float64Array, n: number[], origin: number, vertices: number[]): [number, number] {
  let [low, high] = [0, 0];
  for (const vertex of vertices) {
    const up = rise(points, n, origin, vertex);
    low = Math.min(low, up);
    high = Math.max(high, up);
  }
  return [low, high];
}

function distance(points: Float64Array, p: number, q: number): number {
  return Math.hypot(
    points[3 * q] - points[3 * p],
    points[3 * q + 1] - points[3 * p + 1],
    points[3 * q + 2] - points[3 * p + 2],
  );
}

/** Sine of the left turn at q on the path p, q, r, as seen looking against n. */
function turnSine(points: Float64Array, p: number, q: number, r: number, n: number[]): number {
  const cross = [0, 0, 0];
  areaVector(points, p, q, r, cross);
  return (cross[0] * n[0] + cross[1] * n[1] + cross[2] * n[2]) / (distance(points, p, q) * distance(points, q, r));
}

function unit(v: number[]): number[] {
  const length = Math.hypot(v[0], v[1], v[2]);
  return v.map((value) => value / length);
}
