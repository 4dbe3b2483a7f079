/**
 * The Gauss map of a polytope: a point on the unit sphere for the outward normal of each facet, and an arc of a great
 * circle for each edge, between the normals of the facets on either side. The arcs bound the regions of directions that
 * have the same support vertex.
 *
 * Facets are those of the polytope itself, before faces are merged within a tolerance (hull-faces.ts), so that the map
 * is exact. An arc of more than 104 degrees is cut in two at the direction whose only support is the arc's edge:
 * kernels follow the chord of an arc, which must not pass near the centre. A flat polygon's map has its two normals and
 * an arc of half a turn for each edge.
 */
import { makeTrails, type ArcTrails } from './arc-trails.ts';

export interface GaussArcs {
  /** Unit vectors, x, y, z each. */
  normals: Float64Array;
  /** Two indices into `normals` per arc. */
  arcs: Uint32Array;
  /** Two vertices per arc: the ends of its edge. */
  edges: Uint32Array;
  /** The order in which kernels take the arcs. */
  trails: ArcTrails;
}

export interface GaussMap extends GaussArcs {
  /** The support plane of each normal n: the greatest n·x of the polytope. */
  offsets: Float64Array;
}

/** The map of a shape that is not a polytope or has no facets, such as a point or a segment. */
export const NO_GAUSS_MAP: GaussMap = {
  normals: new Float64Array(0),
  arcs: new Uint32Array(0),
  edges: new Uint32Array(0),
  trails: makeTrails([]),
  offsets: new Float64Array(0),
};

/** Least cosine of an arc's angle. */
const LEAST_COSINE = -0.25;

/**
 * `edges` has two vertices and two facets per edge. Seen from outside, the edge from the first to the second vertex
 * runs counter-clockwise around the first of the two facets.
 */
export function makeGaussMap(
  vertices: ArrayLike<number>,
  facetNormals: ArrayLike<number>,
  edges: ArrayLike<number>,
): GaussArcs {
  const normals: number[] = [];
  const place: number[] = [];
  for (const facet of alongWalk(facetNormals.length / 3, edges)) {
    place[facet] = normals.length / 3;
    for (let k = 0; k < 3; k++) normals.push(facetNormals[3 * facet + k]);
  }
  const arcs: number[] = [];
  const ends: number[] = [];
  for (let i = 0; i < edges.length; i += 4) {
    const [from, to, left, right] = [edges[i], edges[i + 1], place[edges[i + 2]], place[edges[i + 3]]];
    ends.push(from, to);
    const [x, y, z] = [0, 1, 2].map((k) => normals[3 * left + k] - normals[3 * right + k]);
    // For unit vectors, |n − m|² = 2 − 2 n·m.
    if (1 - (x * x + y * y + z * z) / 2 >= LEAST_COSINE) {
      arcs.push(left, right);
      continue;
    }
    // Directions out of either facet across the edge: along × n and −along × m. Their sum is along × (n − m).
    const [u, v, w] = [0, 1, 2].map((k) => vertices[3 * to + k] - vertices[3 * from + k]);
    const middle = [v * z - w * y, w * x - u * z, u * y - v * x];
    const length = Math.hypot(...middle);
    arcs.push(left, normals.length / 3, normals.length / 3, right);
    ends.push(from, to);
    normals.push(...middle.map((value) => value / length));
  }
  return {
    normals: Float64Array.from(normals),
    arcs: Uint32Array.from(arcs),
    edges: Uint32Array.from(ends),
    trails: makeTrails(arcs),
  };
}

/** The facets by a walk, depth first, so that consecutive ones are mostly neighbours. */
function alongWalk(count: number, edges: ArrayLike<number>): Set<number> {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (let i = 2; i < edges.length; i += 4) {
    neighbours[edges[i]].push(edges[i + 1]);
    neighbours[edges[i + 1]].push(edges[i]);
  }
  const walk = new Set<number>();
  for (const stack = [0]; stack.length > 0;) {
    const facet = stack.pop()!;
    if (!walk.has(facet)) for (const neighbour of neighbours[facet]) stack.push(neighbour);
    walk.add(facet);
  }
  return walk;
}

/** Adds the offsets. Every normal is an end of an arc, whose edge lies in the normal's support plane. */
export function withOffsets(map: GaussArcs, vertices: ArrayLike<number>): GaussMap {
  return { ...map, offsets: offsetsOf(map.normals, map, vertices) };
}

/** The support planes of normals, which may be rounded ones of a map. */
export function offsetsOf(
  normals: Float64Array,
  { arcs, edges }: Pick<GaussArcs, 'arcs' | 'edges'>,
  vertices: ArrayLike<number>,
): Float64Array {
  const offsets = new Float64Array(normals.length / 3).fill(-Infinity);
  for (let i = 0; i < arcs.length; i++) {
    const normal = arcs[i];
    const x = normals[3 * normal];
    const y = normals[3 * normal + 1];
    const z = normals[3 * normal + 2];
    for (let end = i & ~1; end <= (i | 1); end++) {
      const at = 3 * edges[end];
      const height = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      offsets[normal] = Math.max(offsets[normal], height);
    }
  }
  return offsets;
}

/**
 * The arcs of a box. Face numbers are 2 axis + (1 where positive), vertex numbers those of `cpu/support.ts`. The arcs of
 * the edges along an axis connect the faces of the other two axes.
 */
const BOX_ARCS = {
  normals: Float64Array.from([-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1]),
  arcs: Uint32Array.from({ length: 24 }, (_, i) => {
    const [axis, bits] = [i >> 3, (i >> 1) & 3];
    return i & 1 ? 2 * ((axis + 2) % 3) + (bits >> 1) : 2 * ((axis + 1) % 3) + (bits & 1);
  }),
  edges: Uint32Array.from({ length: 24 }, (_, i) => {
    const [axis, bits] = [i >> 3, (i >> 1) & 3];
    return ((bits & 1) << ((axis + 1) % 3)) | ((bits >> 1) << ((axis + 2) % 3)) | ((i & 1) << axis);
  }),
};

const BOX_TRAILS = makeTrails(BOX_ARCS.arcs);

/** The Gauss map of a box with these half extents. */
export function boxGaussMap([x, y, z]: readonly [number, number, number]): GaussMap {
  return { ...BOX_ARCS, trails: BOX_TRAILS, offsets: Float64Array.of(x, x, y, y, z, z) };
}
