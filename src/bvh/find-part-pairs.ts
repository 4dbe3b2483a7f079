/** Pairs of parts of two trees that can be within a distance of each other. */
import type { PartTree } from './part-tree.ts';
import type { Placement } from './placement.ts';
import { walkAligned } from './walk-aligned.ts';
import { startWalk, type Walk } from './walk.ts';

/** Most pairs of leaves that are found at once. */
const BATCH = 256;

/**
 * Calls `visit` for each pair of parts whose boxes are at most `margin` apart (at full scale), in no particular order, and
 * perhaps for some whose boxes are little farther apart. If `visit` returns true, the traversal ends.
 *
 * Then `walk.bound` is a lower bound of the distance of all pairs of parts that were not visited, and `walk.axis` an axis
 * along which the nearest boxes among them are that far apart. The bound is positive, and more than `margin` but for
 * rounding. It is Infinity if all pairs were visited.
 */
export function findPartPairs(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  margin: number,
  visit: (partA: number, partB: number) => boolean | void,
  walk: Walk,
): void {
  startWalk(walk, a, b);
  while (walk.top > 0) {
    walk.leafCount = 0;
    walkAligned(a, b, placement, margin, BATCH, walk);
    if (visitLeaves(a, b, visit, walk)) return;
  }
}

/** Calls `visit` for the parts of the pairs of leaves that were found. Returns whether a call did. */
function visitLeaves(
  a: PartTree,
  b: PartTree,
  visit: (partA: number, partB: number) => boolean | void,
  walk: Walk,
): boolean {
  const { leaves, leafCount } = walk;
  for (let k = 0; k < leafCount; k++) {
    const nodeA = leaves[2 * k];
    const nodeB = leaves[2 * k + 1];
    for (let i = a.firsts[nodeA]; i < a.ends[nodeA]; i++) {
      for (let j = b.firsts[nodeB]; j < b.ends[nodeB]; j++) {
        walk.partTests++;
        if (visit(a.order[i], b.order[j])) return true;
      }
    }
  }
  return false;
}

/**
 * Whether `hits` returns true for any pair of parts whose boxes meet. Pairs come one by one at first, so that little is
 * done in vain if one of the first hits.
 */
export function firstHit(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  hits: (partA: number, partB: number) => boolean,
  walk: Walk,
): boolean {
  startWalk(walk, a, b);
  // Bounds of what is cut off are not needed.
  walk.bound = -Infinity;
  for (let most = 1; walk.top > 0; most = Math.min(2 * most, BATCH)) {
    walk.leafCount = 0;
    walkAligned(a, b, placement, 0, most, walk);
    if (visitLeaves(a, b, hits, walk)) return true;
  }
  return false;
}
