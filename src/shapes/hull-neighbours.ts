/** Neighbours of a hull's vertices, and the farthest vertex along a direction by a walk from neighbour to neighbour. */
import { makeSupportTree, type SupportTree } from './support-tree.ts';

/** Vertex adjacency: the neighbours of vertex v are `list[start[v] .. start[v + 1]]`, ascending. */
export interface Adjacency {
  start: Uint32Array;
  list: Uint32Array;
}

/**
 * Adjacency from a flat list of pairs (vertex, neighbour) in both directions. Repeated pairs count once, and pairs of a
 * vertex with itself are dropped. It uses two counting sorts: by neighbour, then by vertex.
 */
export function adjacency(count: number, pairs: Uint32Array): Adjacency {
  const sorted = sortedBy(sortedBy(pairs, 1, count), 0, count);
  const start = new Uint32Array(count + 1);
  const list: number[] = [];
  for (let i = 0; i < sorted.length; i += 2) {
    const [vertex, neighbour] = [sorted[i], sorted[i + 1]];
    const isRepeated = i > 0 && sorted[i - 2] === vertex && sorted[i - 1] === neighbour;
    if (vertex === neighbour || isRepeated) continue;
    list.push(neighbour);
    start[vertex + 1]++;
  }
  for (let v = 0; v < count; v++) start[v + 1] += start[v];
  return { start, list: Uint32Array.from(list) };
}

/**
 * Sorts a flat list of pairs of numbers below `count` by their first (`place` 0) or second number. The sort is stable.
 */
function sortedBy(pairs: Uint32Array, place: 0 | 1, count: number): Uint32Array {
  const next = new Uint32Array(count + 1);
  for (let i = 0; i < pairs.length; i += 2) next[pairs[i + place] + 1]++;
  for (let v = 0; v < count; v++) next[v + 1] += next[v];
  const sorted = new Uint32Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    const at = 2 * next[pairs[i + place]]++;
    sorted[at] = pairs[i];
    sorted[at + 1] = pairs[i + 1];
  }
  return sorted;
}

/** Returns a set of a vertex's neighbours that contains the farthest one along a direction. */
export type NeighboursAlong = (vertex: number, normal: Float64Array) => Uint32Array;

/**
 * With more neighbours than this a tree finds the farthest. A cone's apex, for example, would otherwise be compared
 * with all of its neighbours once per face.
 */
const MANY_NEIGHBOURS = 32;

/** Returns all neighbours, or only the farthest if there are many. */
export function makeNeighboursAlong(points: Float64Array, { start, list }: Adjacency): NeighboursAlong {
  const trees = new Map<number, SupportTree>();
  return (vertex, normal) => {
    const all = list.subarray(start[vertex], start[vertex + 1]);
    if (all.length <= MANY_NEIGHBOURS) return all;
    const tree = trees.get(vertex) ?? makeSupportTree(points, all);
    trees.set(vertex, tree);
    return Uint32Array.of(tree(normal));
  };
}

/**
 * A vertex farthest along `normal`, by hill climbing from `vertex`. Steps small enough to be rounding are not taken.
 */
export function supportVertex(
  points: Float64Array,
  neighboursAlong: NeighboursAlong,
  normal: Float64Array,
  vertex: number,
): number {
  for (;;) {
    let [best, most] = [vertex, 0];
    for (const w of neighboursAlong(vertex, normal)) {
      const x = normal[0] * (points[3 * w] - points[3 * vertex]);
      const y = normal[1] * (points[3 * w + 1] - points[3 * vertex + 1]);
      const z = normal[2] * (points[3 * w + 2] - points[3 * vertex + 2]);
      if (x + y + z > Math.max(most, 2 ** -50 * (Math.abs(x) + Math.abs(y) + Math.abs(z))))
        [best, most] = [w, x + y + z];
    }
    if (best === vertex) return vertex;
    vertex = best;
  }
}
