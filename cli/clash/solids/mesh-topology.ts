/**
 * What a mesh encloses. Vertices within the weld tolerance of each other are one, as for contacts: files repeat them where
 * texture or normals change, and the two ends of a turned profile differ by rounding. Triangles of fewer than three
 * distinct vertices are left out.
 */

import type { Mesh } from '../../../src/shapes/parts.ts';
import { weldTolerance, weldVertices } from '../../../src/shapes/weld-vertices.ts';
import { finish } from '../../../src/util/turns.ts';

export interface MeshTopology {
  /** Every edge has an even number of triangles, so that the mesh encloses what is inside it. */
  isClosed: boolean;
  /** Every edge has as many triangles in one direction as in the other, so that windings count. */
  isOriented: boolean;
  /** No edge of two triangles is bent inwards, or all are: then the mesh is inside out. */
  isConvexAtEdges: boolean;
  /** A vertex of each connected part: its place in `positions`. */
  components: number[];
  /** The vertices that triangles use, each once: places in `positions`. */
  vertices: Uint32Array;
  /** The mesh with one place for vertices that are one. */
  welded: Mesh;
}

/** Two triangles beside each other may be bent inwards by this share of the mesh's size. */
const FLAT = 1e-6;

export function topologyOf(mesh: Mesh): MeshTopology {
  const { positions, indices } = mesh;
  const vertexOf = finish(weldVertices(positions, weldTolerance(mesh)));
  const joined = createUnion(vertexOf.length);
  const isUsed = new Uint8Array(vertexOf.length);
  const edges = createEdges(vertexOf.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [vertexOf[indices[t]], vertexOf[indices[t + 1]], vertexOf[indices[t + 2]]];
    if (a === b || b === c || c === a) continue;
    isUsed[a] = isUsed[b] = isUsed[c] = 1;
    joined.join(a, b);
    joined.join(b, c);
    edges.add(a, b, t / 3);
    edges.add(b, c, t / 3);
    edges.add(c, a, t / 3);
  }
  const vertices = Uint32Array.from(isUsed.keys()).filter((vertex) => isUsed[vertex]);
  return {
    isClosed: vertices.length > 0 && edges.every((forward, backward) => (forward + backward) % 2 === 0),
    isOriented: edges.every((forward, backward) => forward === backward),
    isConvexAtEdges: areConvex(mesh, edges.pairs()),
    components: [...vertices].filter((vertex) => joined.rootOf(vertex) === vertex),
    vertices,
    welded: { ...mesh, positions: positions.map((_, i) => positions[3 * vertexOf[Math.floor(i / 3)] + (i % 3)]) },
  };
}

/** Edges of triangles, with the number of triangles in either direction and the first in each. */
function createEdges(vertices: number) {
  const slots = new Map<number, number>();
  const counts: number[] = [];
  const firsts: number[] = [];
  return {
    add(from: number, to: number, triangle: number): void {
      const key = from < to ? from * vertices + to : to * vertices + from;
      let slot = slots.get(key);
      if (slot === undefined) {
        slot = slots.size;
        slots.set(key, slot);
        counts.push(0, 0);
        firsts.push(-1, -1);
      }
      const side = 2 * slot + (from < to ? 0 : 1);
      counts[side]++;
      if (firsts[side] < 0) firsts[side] = triangle;
    },
    every(holds: (forward: number, backward: number) => boolean): boolean {
      for (let i = 0; i < counts.length; i += 2) if (!holds(counts[i], counts[i + 1])) return false;
      return true;
    },
    /** The two triangles of each edge that has two. */
    *pairs(): Generator<[number, number]> {
      for (let i = 0; i < counts.length; i += 2) {
        if (counts[i] === 1 && counts[i + 1] === 1) yield [firsts[i], firsts[i + 1]];
      }
    },
  };
}

/** Numbers in sets that can be joined. The root of a set is its least number. */
function createUnion(count: number) {
  const parents = Uint32Array.from({ length: count }, (_, i) => i);
  const rootOf = (i: number): number => {
    let at = i;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  return {
    rootOf,
    join(i: number, j: number): void {
      const [a, b] = [rootOf(i), rootOf(j)];
      parents[Math.max(a, b)] = Math.min(a, b);
    },
  };
}

/** Whether the second triangles of all pairs are below the planes of the first, or all above: then outside is inside. */
function areConvex({ positions, indices }: Mesh, pairs: Iterable<[number, number]>): boolean {
  let size = 0;
  for (const x of positions) size = Math.max(size, Math.abs(x));
  let isBelow = true;
  let isAbove = true;
  for (const [first, second] of pairs) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[3 * first + k]);
    const [ux, uy, uz] = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const slack = FLAT * size * Math.hypot(nx, ny, nz);
    for (let k = 0; k < 3; k++) {
      const p = 3 * indices[3 * second + k];
      const height =
        nx * (positions[p] - positions[a]) +
        ny * (positions[p + 1] - positions[a + 1]) +
        nz * (positions[p + 2] - positions[a + 2]);
      isBelow &&= height <= slack;
      isAbove &&= height >= -slack;
      if (!isBelow && !isAbove) return false;
    }
  }
  return true;
}
