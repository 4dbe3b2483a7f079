/** Which triangles of a mesh share edges: each edge of a triangle names the next triangle's edge between the same vertices. */
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';

/** In `rings`: the edge of a triangle that is too thin to have a normal. */
export const NO_EDGE = -1;

/** The index of the corner after corner i of the same triangle. */
export function nextCorner(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1;
}

/**
 * For edge i = 3 t + k, from corner k of triangle t to the next, the next edge between the same two vertices, the last one
 * names the first:
 *
 *     one triangle: i -> i      two: i -> j -> i      three: i -> j -> k -> i
 *
 * Edges of triangles whose normal is 0 are `NO_EDGE`.
 */
export function* linkEdges(indices: Uint32Array, welded: Uint32Array, normals: Float64Array): Work<Int32Array> {
  const isDue = createPace();
  const rings = allocate('edges of the mesh', Int32Array, indices.length).fill(NO_EDGE);
  // The last edge between two vertices, in lists by a hash of both. The first of a ring follows its last.
  const bits = Math.max(Math.ceil(Math.log2(indices.length)), 1);
  const heads = allocate('edges of the mesh', Int32Array, 2 ** bits).fill(-1);
  const before = allocate('edges of the mesh', Int32Array, indices.length);
  for (let i = 0; i < indices.length; i++) {
    if (isDue(16)) yield;
    const triangle = Math.floor(i / 3);
    if (normals[3 * triangle] === 0 && normals[3 * triangle + 1] === 0 && normals[3 * triangle + 2] === 0) continue;
    const from = welded[indices[i]];
    const to = welded[indices[nextCorner(i)]];
    const bucket = hashOf(Math.min(from, to), Math.max(from, to)) >>> (32 - bits);
    let first = heads[bucket];
    while (first >= 0 && !isBetween(welded, indices, first, from, to)) first = before[first];
    if (first < 0) {
      before[i] = heads[bucket];
      heads[bucket] = i;
      rings[i] = i;
      continue;
    }
    rings[i] = rings[first];
    rings[first] = i;
  }
  return rings;
}

/** How many triangles share an edge. */
export function ringSize(rings: Int32Array, edge: number): number {
  let count = 1;
  for (let i = rings[edge]; i !== edge; i = rings[i]) count++;
  return count;
}

/** Mixes two numbers of vertices to 32 bits, of which the highest are the best. */
function hashOf(low: number, high: number): number {
  const mixed = Math.imul(low, 0x9e37_79b1) ^ Math.imul(high, 0x85eb_ca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
}

function isBetween(welded: Uint32Array, indices: Uint32Array, edge: number, a: number, b: number): boolean {
  const from = welded[indices[edge]];
  const to = welded[indices[nextCorner(edge)]];
  return (from === a && to === b) || (from === b && to === a);
}
