/** Vertices of a mesh that count as one: many formats repeat vertices, with a few units of rounding between them. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { Mesh } from './parts.ts';

/** Vertices this near each other, as a share of the body's largest coordinate, count as one: a few units of f32 rounding. */
export const WELD_TOLERANCE = 2 ** -21;

/** Triangles and solids touch a point or an edge if they are this many times the weld tolerance from it. */
export const TOUCH = 8;

/** The distance up to which vertices of a mesh's triangles count as one, in the mesh's unit. */
export function weldTolerance({ positions, indices }: Mesh): number {
  let largest = 0;
  for (const vertex of indices) {
    for (let i = 3 * vertex; i < 3 * vertex + 3; i++) largest = Math.max(largest, Math.abs(positions[i]));
  }
  return WELD_TOLERANCE * largest;
}

/** For each vertex, the least vertex within the tolerance of it, or of one that is. */
export function* weldVertices(positions: Float64Array, tolerance: number): Work<Uint32Array> {
  const isDue = createPace();
  const count = positions.length / 3;
  const size = 2 ** Math.ceil(Math.log2(2 * count));
  /** The last vertex in each bucket of cells, and the one before each vertex. */
  const heads = allocate('vertices of the mesh', Int32Array, size).fill(-1);
  const before = allocate('vertices of the mesh', Int32Array, count);
  const welded = allocate('vertices of the mesh', Uint32Array, count);
  const toCells = tolerance > 0 ? 1 / (2 * tolerance) : 1;
  // The low bits of cells are often 0, and so are those of products. The high ones are not.
  const bucketOf = (x: number, y: number, z: number): number => {
    const hash = Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
    return (hash ^ (hash >>> 15)) & (size - 1);
  };
  for (let v = 0; v < count; v++) {
    const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    let same = v;
    // The ball around the vertex reaches into at most two cells along each axis.
    for (let corner = 0; corner < 8 && same === v; corner++) {
      const bucket = bucketOf(
        Math.floor((x + (corner & 1 ? tolerance : -tolerance)) * toCells),
        Math.floor((y + (corner & 2 ? tolerance : -tolerance)) * toCells),
        Math.floor((z + (corner & 4 ? tolerance : -tolerance)) * toCells),
      );
      for (let other = heads[bucket]; other >= 0 && same === v; other = before[other]) {
        const dx = positions[3 * other] - x;
        const dy = positions[3 * other + 1] - y;
        const dz = positions[3 * other + 2] - z;
        if (dx * dx + dy * dy + dz * dz <= tolerance * tolerance) same = welded[other];
      }
    }
    welded[v] = same;
    const own = bucketOf(Math.floor(x * toCells), Math.floor(y * toCells), Math.floor(z * toCells));
    before[v] = heads[own];
    heads[own] = v;
    if (isDue(32)) yield;
  }
  return welded;
}
