/** Pairs of parts of two trees that can be within a distance of each other. */
import type { Rest, Work } from '../util/turns.ts';
import type { PartTree } from './part-tree.ts';
import type { Placement } from './placement.ts';
import { separation } from './separation.ts';
import { walkAligned } from './walk-aligned.ts';
import { walkOriented } from './walk-oriented.ts';
import { BATCH, isWalkDue, startWalk, type Walk } from './walk.ts';

const axis = new Float64Array(3);

/**
 * Calls `visit` for each pair of parts whose boxes are at most `margin` apart (at full scale), in no particular order, and
 * perhaps for some whose boxes are a little farther apart. If `visit` returns true, the traversal ends.
 *
 * Then `walk.bound` is a lower bound of the distance of all pairs of parts that were not visited, and `walk.axis` an axis
 * along which the nearest boxes among them are that far apart. The bound is positive, and more than `margin` except for
 * rounding. It is Infinity if all pairs were visited. Unless `notesCuts`, there is no bound, which saves time.
 */
export function findPartPairs(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  margin: number,
  visit: Visit,
  walk: Walk,
  notesCuts = true,
): Rest {
  startWalk(walk, a, b);
  if (!meetAtRoots(a, b, placement, margin, walk)) return undefined;
  if (!notesCuts) walk.bound = -Infinity;
  if (visitSome(a, b, placement, margin, visit, walk)) return undefined;
  return findMore(a, b, placement, margin, visit, walk);
}

type Visit = (partA: number, partB: number) => boolean | void;

function* findMore(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  margin: number,
  visit: Visit,
  walk: Walk,
): Work<void> {
  do {
    if (isWalkDue(walk)) yield;
  } while (!visitSome(a, b, placement, margin, visit, walk));
}

/** Visits the next pairs. Returns whether the traversal has ended. */
function visitSome(a: PartTree, b: PartTree, placement: Placement, margin: number, visit: Visit, walk: Walk): boolean {
  walk.pairCount = 0;
  (a.axes || b.axes ? walkOriented : walkAligned)(a, b, placement, margin, BATCH, walk);
  return visitPairs(visit, walk) || walk.top === 0;
}

/** Whether the boxes around all parts are at most `margin` apart. If not, they are noted as cut off. */
function meetAtRoots(a: PartTree, b: PartTree, placement: Placement, margin: number, walk: Walk): boolean {
  walk.boxTests++;
  const bound = separation(a, 0, b, 0, placement, axis);
  if (bound <= margin) return true;
  walk.bound = bound;
  walk.axis.set(axis);
  return false;
}

/** Calls `visit` for the pairs that were found. Returns whether a call did. */
function visitPairs(visit: Visit, walk: Walk): boolean {
  const { pairs, pairCount } = walk;
  for (let k = 0; k < pairCount; k++) {
    walk.partTests++;
    if (visit(pairs[2 * k], pairs[2 * k + 1])) return true;
  }
  return false;
}

/**
 * Whether `hits` returns true for any pair of parts whose boxes meet. At first pairs are collected one at a time, so little
 * work is wasted if one of the first hits.
 */
export function* firstHit(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  hits: (partA: number, partB: number) => boolean,
  walk: Walk,
): Work<boolean> {
  startWalk(walk, a, b);
  if (!meetAtRoots(a, b, placement, 0, walk)) return false;
  // Bounds of what is cut off are not needed.
  walk.bound = -Infinity;
  const goOn = a.axes || b.axes ? walkOriented : walkAligned;
  for (let most = 1; walk.top > 0; most = Math.min(2 * most, BATCH)) {
    walk.pairCount = 0;
    goOn(a, b, placement, 0, most, walk);
    if (visitPairs(hits, walk)) return true;
    if (isWalkDue(walk)) yield;
  }
  return false;
}
