/**
 * Which triangles of a mesh share edges and vertices. Vertices within a tolerance of each other count as one, since many
 * formats repeat vertices.
 */
import type { Mesh } from '../shapes/parts.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';

/** In `neighbours`: the edge has no triangle on its other side. */
export const BOUNDARY = -1;
/** In `neighbours`: the edge has more than two triangles, or its triangle is degenerate. */
export const MANY = -2;

export interface MeshEdges {
  /** For edge 3 t + k, from corner k of triangle t to the next: the triangle on the other side, `BOUNDARY` or `MANY`. */
  readonly neighbours: Int32Array;
  /** The vertex that each vertex counts as. */
  readonly welded: Uint32Array;
  /** The edges of vertex v go to the vertices `spokes[starts[v] .. starts[v + 1]]`, each named once per triangle. */
  readonly starts: Uint32Array;
  readonly spokes: Uint32Array;
  /** Whether a vertex is on an edge with more than two triangles. */
  readonly isOnMany: Uint8Array;
}

/** Vertices this near each other, as a share of the mesh's largest coordinate, count as one: a few units of f32 rounding. */
const WELD_TOLERANCE = 2 ** -21;

const known = new WeakMap<Mesh, MeshEdges>();

/** The edges of a mesh, which are found once and stay with it. */
export function* meshEdges(mesh: Mesh): Work<MeshEdges> {
  const edges = known.get(mesh) ?? (yield* findEdges(mesh));
  known.set(mesh, edges);
  return edges;
}

/** Edges that were found before. */
export function edgesOf(mesh: Mesh): MeshEdges {
  return known.get(mesh)!;
}

function* findEdges({ positions, indices }: Mesh): Work<MeshEdges> {
  const welded = yield* weld(positions);
  const neighbours = yield* findNeighbours(welded, indices);
  const vertexCount = welded.length;
  const starts = allocate('edges of the mesh', Uint32Array, vertexCount + 1);
  const isOnMany = allocate('edges of the mesh', Uint8Array, vertexCount);
  const isDue = createPace();
  for (let i = 0; i < indices.length; i++) {
    const from = welded[indices[i]];
    // Both other corners of the triangle are at the ends of edges of this one.
    starts[from + 1] += 2;
    if (neighbours[i] === MANY) isOnMany[from] = isOnMany[welded[indices[nextCorner(i)]]] = 1;
    if (isDue(4)) yield;
  }
  for (let v = 0; v < vertexCount; v++) starts[v + 1] += starts[v];
  const places = starts.slice();
  const spokes = allocate('edges of the mesh', Uint32Array, starts[vertexCount]);
  for (let i = 0; i < indices.length; i++) {
    const from = welded[indices[i]];
    const next = nextCorner(i);
    spokes[places[from]++] = welded[indices[next]];
    spokes[places[from]++] = welded[indices[nextCorner(next)]];
    if (isDue(4)) yield;
  }
  return { neighbours, welded, starts, spokes, isOnMany };
}

/** The index of the corner after corner i of the same triangle. */
function nextCorner(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1;
}

/** The least vertex within the tolerance of each vertex, or of one that is. */
function* weld(positions: Float64Array): Work<Uint32Array> {
  const isDue = createPace();
  const count = positions.length / 3;
  let largest = 0;
  for (const coordinate of positions) largest = Math.max(largest, Math.abs(coordinate));
  const tolerance = WELD_TOLERANCE * largest;
  const size = 2 ** Math.ceil(Math.log2(2 * count));
  /** The last vertex in each bucket of cells, and the one before each vertex. */
  const heads = allocate('vertices of the mesh', Int32Array, size).fill(-1);
  const before = allocate('vertices of the mesh', Int32Array, count);
  const welded = allocate('vertices of the mesh', Uint32Array, count);
  const toCells = tolerance > 0 ? 1 / (2 * tolerance) : 1;
  const bucketOf = (x: number, y: number, z: number): number =>
    (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (size - 1);
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

function* findNeighbours(welded: Uint32Array, indices: Uint32Array): Work<Int32Array> {
  const isDue = createPace();
  const neighbours = allocate('edges of the mesh', Int32Array, indices.length).fill(BOUNDARY);
  // The first edge between two vertices, in lists by a hash of both.
  const bits = Math.max(Math.ceil(Math.log2(indices.length)), 1);
  const heads = allocate('edges of the mesh', Int32Array, 2 ** bits).fill(-1);
  const before = allocate('edges of the mesh', Int32Array, indices.length);
  const firstBetween = (low: number, high: number, bucket: number): number => {
    let edge = heads[bucket];
    while (edge >= 0 && !isBetween(welded, indices, edge, low, high)) edge = before[edge];
    return edge;
  };
  for (let i = 0; i < indices.length; i++) {
    if (isDue(16)) yield;
    const from = welded[indices[i]];
    const to = welded[indices[nextCorner(i)]];
    if (from === to) {
      neighbours[i] = MANY;
      continue;
    }
    const bucket = hashOf(Math.min(from, to), Math.max(from, to)) >>> (32 - bits);
    const first = firstBetween(from, to, bucket);
    if (first < 0) {
      before[i] = heads[bucket];
      heads[bucket] = i;
      continue;
    }
    if (neighbours[first] === BOUNDARY) {
      neighbours[first] = Math.floor(i / 3);
      neighbours[i] = Math.floor(first / 3);
      continue;
    }
    // A third triangle.
    if (neighbours[first] !== MANY) {
      const second = edgeBetween(welded, indices, neighbours[first], from, to);
      neighbours[second] = MANY;
      neighbours[first] = MANY;
    }
    neighbours[i] = MANY;
  }
  return neighbours;
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

/** The edge of a triangle between two vertices. */
function edgeBetween(welded: Uint32Array, indices: Uint32Array, triangle: number, a: number, b: number): number {
  for (let i = 3 * triangle; i < 3 * triangle + 3; i++) if (isBetween(welded, indices, i, a, b)) return i;
  throw new Error(`triangle ${triangle} has no edge between vertices ${a} and ${b}`);
}
