/** Pairs of parts of two trees that can be within a distance of each other. */
import type { Rest, Work } from '../util/turns.ts';
import { descend, makeDescent, type Descent, type TreePair, type Visit } from './descent.ts';
import { faceSeparation, separation } from './separation.ts';
import { isWalkDue, startWalk, type Walk } from './walk.ts';

const axis = new Float64Array(3);

/**
 * Calls `visit` for each pair of parts whose boxes are at most `margin` apart (at full scale), in no particular order, and
 * perhaps for some whose boxes are a little farther apart. If `visit` returns true, the traversal ends.
 *
 * Then `walk.bound` is a lower bound of the distance of all pairs of parts that were not visited, and `walk.axis` an axis
 * along which the nearest boxes among them are that far apart. The bound is positive, and more than `margin` except for
 * rounding. It is Infinity if all pairs were visited. Unless `notesCuts`, there is no bound, which saves time.
 */
export function findPartPairs(trees: TreePair, margin: number, visit: Visit, walk: Walk, notesCuts = true): Rest {
  startWalk(walk, trees.a, trees.b);
  if (!meetAtRoots(trees, margin, notesCuts, walk)) return undefined;
  const descent = makeDescent(trees, false, margin, visit);
  if (descend(descent, walk) || walk.top === 0) return undefined;
  return findMore(descent, walk);
}

function* findMore(descent: Descent, walk: Walk): Work<void> {
  do {
    if (isWalkDue(walk)) yield;
  } while (!descend(descent, walk) && walk.top > 0);
}

/** Whether the boxes around all parts are at most `margin` apart. If not, and if bounds are needed, they are noted as cut off. */
function meetAtRoots({ a, b, placement }: TreePair, margin: number, notesCuts: boolean, walk: Walk): boolean {
  walk.boxTests++;
  if (!notesCuts) {
    walk.bound = -Infinity;
    return faceSeparation(a, 0, b, 0, placement) <= margin;
  }
  const bound = separation(a, 0, b, 0, placement, axis);
  if (bound <= margin) return true;
  walk.bound = bound;
  walk.axis.set(axis);
  return false;
}

/** Whether `hits` returns true for any pair of parts whose boxes meet. */
export function* firstHit(trees: TreePair, hits: (partA: number, partB: number) => boolean, walk: Walk): Work<boolean> {
  startWalk(walk, trees.a, trees.b);
  if (!meetAtRoots(trees, 0, false, walk)) return false;
  const descent = makeDescent(trees, false, 0, hits);
  while (walk.top > 0) {
    if (descend(descent, walk)) return true;
    if (isWalkDue(walk)) yield;
  }
  return false;
}
