/**
 * What ends the search of the nearest parts where many pairs are equally near, such as all n² pairs of two parallel fans of n
 * triangles: boxes are rounded up, so their bounds are a little below the distance that all pairs have. Along the line between
 * the nearest parts so far, exact heights show that no part of two nodes is nearer. Of those that are as near, only lower ones
 * matter.
 */
import { allocate } from '../util/arrays.ts';
import type { Work } from '../util/turns.ts';
import type { PartTree } from './part-tree.ts';
import type { Walk } from './walk.ts';

/** Heights of parts in a common frame, along the line between the nearest points of two of them. */
export interface Heights {
  /** Takes the direction from a part of A to one of B. */
  setLine(partA: number, partB: number): void;
  /** The greatest height of a part of A, and the least of one of B. */
  highOfA(part: number): number;
  lowOfB(part: number): number;
}

export interface TiePlane {
  /** Per node of A, the greatest height of its parts; per node of B, the least. */
  highsA: Float64Array;
  lowsB: Float64Array;
  /** The lowest part of each node. */
  lowestA: Int32Array;
  lowestB: Int32Array;
}

/** Steps of `createPace` per node. */
const NODE_STEPS = 8;

export function* makeTiePlane(a: PartTree, b: PartTree, heights: Heights, walk: Walk): Work<TiePlane> {
  const highsA = allocate('heights of the parts', Float64Array, a.links.length);
  const lowsB = allocate('heights of the parts', Float64Array, b.links.length);
  return {
    highsA,
    lowsB,
    lowestA: yield* gather(a, highsA, (part) => heights.highOfA(part), Math.max, walk),
    lowestB: yield* gather(b, lowsB, (part) => heights.lowOfB(part), Math.min, walk),
  };
}

/** Writes the heights of all nodes, and returns their lowest parts. Children come after their parents. */
function* gather(
  { links }: PartTree,
  heights: Float64Array,
  heightOf: (part: number) => number,
  join: (left: number, right: number) => number,
  walk: Walk,
): Work<Int32Array> {
  const lowest = allocate('lowest parts', Int32Array, links.length);
  for (let node = links.length - 1; node >= 0; node--) {
    if (walk.isDue(NODE_STEPS)) yield;
    const link = links[node];
    heights[node] = link < 0 ? heightOf(-1 - link) : join(heights[link], heights[link + 1]);
    lowest[node] = link < 0 ? -1 - link : Math.min(lowest[link], lowest[link + 1]);
  }
  return lowest;
}

/** Whether no parts of two nodes are less than `distance` apart, and none of them are lower than two others. */
export function isBeyond(
  { highsA, lowsB, lowestA, lowestB }: TiePlane,
  nodeA: number,
  nodeB: number,
  distance: number,
  partA: number,
  partB: number,
): boolean {
  if (lowsB[nodeB] - highsA[nodeA] < distance) return false;
  return lowestA[nodeA] > partA || (lowestA[nodeA] === partA && lowestB[nodeB] >= partB);
}
