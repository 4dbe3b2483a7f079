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

/** The surface while edges are removed, and its facets: faces grow over the free ones. */
interface Merge {
  points: Float64Array;
  /** By how much rounding may have moved a vertex along x, y and z. */
  tolerance: ArrayLike<number>;
  corners: Uint32Array;
  twins: Uint32Array;
  /** The half-edges after and before each on its loop. */
  next: Int32Array;
  previous: Int32Array;
  inside: Uint8Array;
  facets: Facets;
  /** The face that has each facet, or -1; and the last face whose loop has each vertex. */
  faceOf: Int32Array;
  onLoop: Int32Array;
}

type Loops = Pick<Merge, 'points' | 'corners' | 'twins' | 'next' | 'previous' | 'inside'>;

/** The facet of each half-edge; and for each facet one of its half-edges, its area vector and the vector's length. */
interface Facets {
  of: Int32Array;
  first: number[];
  areas: number[];
  lengths: number[];
}

/** A face while it grows. */
interface GrowingFace {
  number: number;
  area: number[];
  loop: number[];
  /** Half-edges of the loop over which the face may grow. */
  frontier: number[];
  /** Heights of the loop over the vertex `origin` along `normal` lie in [low, high]. */
  origin: number;
  normal: number[];
  low: number;
  high: number;
  /** The loop is within this distance of `origin`. */
  reach: number;
}

/**
 * `tolerance` is the distance by which rounding may have moved a vertex along x, y and z. Along a normal n it is Σ|nᵢ|
 * toleranceᵢ. Points and tolerance are in lattice steps. Every vertex of the surface must be a corner of the hull.
 */
export function mergeFaces(points: Float64Array, surface: HullTriangles, tolerance: ArrayLike<number>): MergedFaces {
  const { corners, twins, flat } = surface;
  const loops: Loops = {
    points,
    corners,
    twins,
    next: Int32Array.from(corners, (_, h) => nextHalfEdge(h)),
    previous: Int32Array.from(corners, (_, h) => previousHalfEdge(h)),
    inside: new Uint8Array(corners.length),
  };
  for (let h = 0; h < corners.length; h++) if (flat[h] === 1 && h < twins[h]) removeEdge(loops, h);
  const facets = findFacets(loops);
  const gaussMap = mapFacets(loops, facets);

  const faceOf = new Int32Array(facets.first.length).fill(-1);
  const onLoop = new Int32Array(points.length / 3).fill(-1);
  const merge: Merge = { ...loops, tolerance, facets, faceOf, onLoop };
  const { lengths } = facets;
  const order = [...lengths.keys()].sort((s, t) => lengths[t] - lengths[s] || s - t);
  const areas: number[][] = [];
  for (const seed of order) if (faceOf[seed] < 0) areas.push(growFace(merge, seed, areas.length));
  return { ...collectFaces(merge, areas), inside: merge.inside, gaussMap };
}

/** Joins the faces on both sides of a half-edge. */
function removeEdge({ twins, next, previous, inside }: Loops, h: number): void {
  const t = twins[h];
  for (const [before, after] of [
    [previous[h], next[t]],
    [previous[t], next[h]],
  ]) {
    next[before] = after;
    previous[after] = before;
  }
  inside[h] = inside[t] = 1;
}

function findFacets({ points, corners, next, inside }: Loops): Facets {
  const facets: Facets = { of: new Int32Array(corners.length).fill(-1), first: [], areas: [], lengths: [] };
  const triangle = [0, 0, 0];
  for (let h = 0; h < corners.length; h++) {
    if (inside[h] === 1 || facets.of[h] >= 0) continue;
    const area = [0, 0, 0];
    for (let i = h; facets.of[i] < 0; i = next[i]) {
      facets.of[i] = facets.first.length;
      areaVector(points, corners[h], corners[i], corners[next[i]], triangle);
      for (let k = 0; k < 3; k++) area[k] += triangle[k];
    }
    facets.first.push(h);
    facets.areas.push(...area);
    facets.lengths.push(Math.hypot(area[0], area[1], area[2]));
  }
  return facets;
}

function mapFacets({ points, corners, twins, next, inside }: Loops, { of, areas, lengths }: Facets): GaussArcs {
  const edges: number[] = [];
  for (let h = 0; h < corners.length; h++) {
    if (inside[h] === 0 && h < twins[h]) edges.push(corners[h], corners[next[h]], of[h], of[twins[h]]);
  }
  return makeGaussMap(
    points,
    areas.map((value, i) => value / lengths[(i / 3) | 0]),
    edges,
  );
}

/** Grows a face from a facet, and gives its area vector. */
function growFace(merge: Merge, seed: number, number: number): number[] {
  const { corners, facets, faceOf } = merge;
  const first = facets.first[seed];
  const area = facets.areas.slice(3 * seed, 3 * seed + 3);
  const extent = { origin: corners[first], normal: unit(area), low: 0, high: 0, reach: 0 };
  const face: GrowingFace = { number, area, loop: [], frontier: [], ...extent };
  faceOf[seed] = number;
  takeFacet(merge, face, first, first);
  const { loop, frontier } = face;
  // A facet that was rejected may fit the face once it is larger and its normal more precise: retry while the face
  // grows.
  for (let size = 0; size < loop.length;) {
    size = loop.length;
    const refused: number[] = [];
    for (let h = frontier.pop(); h !== undefined; h = frontier.pop()) if (!joinFacet(merge, face, h)) refused.push(h);
    if (loop.length > size) frontier.push(...refused);
  }
  return face.area;
}

/** Adds the vertices and half-edges of a facet, from half-edge `first` up to but not including `end`. */
function takeFacet({ points, corners, next, onLoop }: Merge, face: GrowingFace, first: number, end: number): void {
  const { origin, normal } = face;
  let h = first;
  do {
    face.frontier.push(h);
    const vertex = corners[h];
    if (onLoop[vertex] !== face.number) {
      onLoop[vertex] = face.number;
      face.loop.push(vertex);
      const up = rise(points, normal, origin, vertex);
      face.low = Math.min(face.low, up);
      face.high = Math.max(face.high, up);
      face.reach = Math.max(face.reach, distance(points, origin, vertex));
    }
    h = next[h];
  } while (h !== end);
}

/**
 * Adds the facet across half-edge h of the loop if it belongs to the face. Returns false if it doesn't fit the face so
 * far.
 */
function joinFacet(merge: Merge, face: GrowingFace, h: number): boolean {
  const { points, corners, twins, next, previous, faceOf, onLoop } = merge;
  const { areas, lengths, of } = merge.facets;
  const t = twins[h];
  const facet = of[t];
  if (faceOf[facet] >= 0) return true;
  const added: number[] = [];
  for (let i = next[next[t]]; i !== t; i = next[i]) added.push(corners[i]);
  if (added.some((vertex) => onLoop[vertex] === face.number)) return true;

  const grown = face.area.map((value, i) => value + areas[3 * facet + i]);
  const n = unit(grown);
  const along = n[0] * areas[3 * facet] + n[1] * areas[3 * facet + 1] + n[2] * areas[3 * facet + 2];
  if (along < MIN_COSINE * lengths[facet]) return false;
  if (turnSine(points, corners[previous[h]], corners[h], added[0], n) < -MAX_REFLEX_SINE) return false;
  if (turnSine(points, added[added.length - 1], corners[t], corners[next[next[h]]], n) < -MAX_REFLEX_SINE) return false;
  if (!staysFlat(merge, face, added, n)) return false;
  face.area = grown;
  faceOf[facet] = face.number;
  takeFacet(merge, face, next[t], t);
  removeEdge(merge, h);
  return true;
}

/**
 * Whether a face and `added` vertices are flat along n. It measures all heights only if the bound from an earlier
 * measurement fails.
 */
function staysFlat({ points, tolerance }: Merge, face: GrowingFace, added: number[], n: number[]): boolean {
  const { origin, normal, loop } = face;
  const allowed = 1 + Math.abs(n[0]) * tolerance[0] + Math.abs(n[1]) * tolerance[1] + Math.abs(n[2]) * tolerance[2];
  const turn = Math.hypot(n[0] - normal[0], n[1] - normal[1], n[2] - normal[2]);
  const [bottom, top] = heights(points, normal, origin, added);
  const farthest = added.reduce((most, vertex) => Math.max(most, distance(points, origin, vertex)), face.reach);
  if (Math.max(face.high, top) - Math.min(face.low, bottom) + 2 * turn * farthest <= allowed) return true;
  const [oldLow, oldHigh] = heights(points, n, origin, loop);
  const [newLow, newHigh] = heights(points, n, origin, added);
  if (Math.max(oldHigh, newHigh) - Math.min(oldLow, newLow) > allowed) return false;
  face.normal = n;
  face.low = oldLow;
  face.high = oldHigh;
  return true;
}

/** The loops that are left, with the normals of the faces that they belong to. */
function collectFaces(
  { corners, next, inside, facets, faceOf }: Merge,
  areas: number[][],
): Pick<MergedFaces, 'start' | 'vertices' | 'normals'> {
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
    normals.push(...unit(areas[faceOf[facets.of[h]]]));
  }
  return { start: Uint32Array.from(start), vertices: Uint32Array.from(vertices), normals: Float64Array.from(normals) };
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
