/**
 * The number of pairs, for searches that find too many to list them. Where many boxes share a place, their pairs are
 * counted by nodes: if the highest lower bound of one node's boxes is at most the least upper bound of the other's, and
 * the other way round, on every axis, all their boxes overlap. A million boxes in one place are counted in one step.
 */
import type { CollisionFilters } from '../api/bodies.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { addBoxPairs } from './box-pairs.ts';
import type { BoxTree } from './box-tree.ts';
import { addHalfspacePairs, type WorldHalfspace } from './halfspaces.ts';
import type { PairSink } from './pair-list.ts';

/** The number of pairs that `addBoxPairs` and `addHalfspacePairs` add. With groups, they are counted one by one. */
export function* countPairs(
  tree: BoxTree,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
): Work<number> {
  let count = 0;
  const each: PairSink = { isFull: false, add: () => void count++ };
  yield* addHalfspacePairs(halfspaces, tree, filters, each);
  if (filters.groups) {
    yield* addBoxPairs(tree, filters, each);
    return count;
  }
  const { cores, sizes } = yield* findCores(tree);
  const addAll = (a: number, b: number): boolean => {
    for (let k = 0; k < 3; k++)
      if (cores[6 * a + k] > cores[6 * b + 3 + k] || cores[6 * b + k] > cores[6 * a + 3 + k]) return false;
    count += a === b ? (sizes[a] * (sizes[a] - 1)) / 2 : sizes[a] * sizes[b];
    return true;
  };
  yield* addBoxPairs(tree, filters, { ...each, addAll });
  return count;
}

/**
 * For each node the highest lower bounds x, y, z of its boxes and their least upper bounds, and the number of its boxes.
 */
function* findCores(tree: BoxTree): Work<{ cores: Float64Array; sizes: Uint32Array }> {
  const isDue = createPace();
  const { boxes, rightChildren, firsts, ends } = tree;
  const cores = allocate('nodes of the tree', Float64Array, 6 * rightChildren.length);
  const sizes = allocate('nodes of the tree', Uint32Array, rightChildren.length);
  // Children come after their parents.
  for (let node = rightChildren.length - 1; node >= 0; node--) {
    const right = rightChildren[node];
    sizes[node] = right > 0 ? sizes[node + 1] + sizes[right] : ends[node] - firsts[node];
    for (let k = 0; k < 3; k++) {
      let low = -Infinity;
      let high = Infinity;
      const join = (from: Float64Array, at: number): void => {
        low = Math.max(low, from[6 * at + k]);
        high = Math.min(high, from[6 * at + 3 + k]);
      };
      if (right > 0) {
        join(cores, node + 1);
        join(cores, right);
      } else for (let i = firsts[node]; i < ends[node]; i++) join(boxes, i);
      cores[6 * node + k] = low;
      cores[6 * node + 3 + k] = high;
    }
    if (isDue(32)) yield;
  }
  return { cores, sizes };
}
