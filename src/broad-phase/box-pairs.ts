/**
 * The pairs of boxes that overlap, by descending a tree against itself. Two nodes whose boxes are apart, or whose groups
 * do not match, have no pairs; otherwise the children of the larger one meet the other.
 */
import type { CollisionFilters } from '../api/bodies.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { BoxTree } from './box-tree.ts';
import { arePaired, groupsMeet } from './filters.ts';
import type { PairSink } from './pair-list.ts';

/**
 * Room for the pairs of nodes that wait. A node with itself leaves 3 pairs in its place, and there are 30 levels in a
 * tree of 2^32 boxes; two different nodes leave 2, at most 60 times.
 */
const WAITING = 256;

/** Pairs of nodes per turn. */
const AT_ONCE = 128;

/** Adds all pairs of bodies whose boxes overlap or touch, and that the filters leave, to `found`, until it is full. */
export function* addBoxPairs(tree: BoxTree, filters: CollisionFilters, found: PairSink): Work<void> {
  const isDue = createPace();
  const waiting = new Uint32Array(2 * WAITING);
  for (const [i, a] of tree.roots.entries()) {
    for (const b of tree.roots.slice(i)) {
      if (a.isFixed && b.isFixed) continue;
      waiting[0] = a.node;
      waiting[1] = b.node;
      for (let count = 1; count > 0 && !found.isFull;) {
        count = descend(tree, filters, found, waiting, count);
        if (isDue(64 * AT_ONCE)) yield;
      }
    }
  }
}

/** Takes pairs of nodes off the stack `waiting`, which has `count`. Returns how many it has then. */
function descend(
  tree: BoxTree,
  filters: CollisionFilters,
  found: PairSink,
  waiting: Uint32Array,
  count: number,
): number {
  const { nodeBoxes, nodeGroups, rightChildren } = tree;
  let top = 2 * count;
  for (let steps = AT_ONCE; steps > 0 && top > 0; steps--) {
    const b = waiting[--top];
    const a = waiting[--top];
    if (nodeGroups && !groupsMeet(nodeGroups[a], nodeGroups[b])) continue;
    if (found.addAll?.(a, b)) continue;
    const rightA = rightChildren[a];
    const rightB = rightChildren[b];
    if (a === b) {
      if (rightA === 0) {
        pairWithin(tree, a, filters, found);
        continue;
      }
      if (overlap(nodeBoxes, a + 1, nodeBoxes, rightA)) {
        waiting[top++] = a + 1;
        waiting[top++] = rightA;
      }
      waiting[top++] = rightA;
      waiting[top++] = rightA;
      waiting[top++] = a + 1;
      waiting[top++] = a + 1;
      continue;
    }
    if (rightA === 0 && rightB === 0) {
      pairBetween(tree, a, b, filters, found);
      continue;
    }
    // The larger node is cut: the tests of its children are the likelier to fail.
    const isFirst = rightB === 0 || (rightA !== 0 && halfPerimeter(nodeBoxes, a) >= halfPerimeter(nodeBoxes, b));
    const whole = isFirst ? b : a;
    const left = (isFirst ? a : b) + 1;
    const right = isFirst ? rightA : rightB;
    if (overlap(nodeBoxes, whole, nodeBoxes, left)) {
      waiting[top++] = whole;
      waiting[top++] = left;
    }
    if (overlap(nodeBoxes, whole, nodeBoxes, right)) {
      waiting[top++] = whole;
      waiting[top++] = right;
    }
  }
  return top / 2;
}

function halfPerimeter(boxes: Float64Array, node: number): number {
  const at = 6 * node;
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
}

/** Whether box i of one array and box j of another overlap or touch. */
function overlap(boxes: Float64Array, i: number, others: Float64Array, j: number): boolean {
  const a = 6 * i;
  const b = 6 * j;
  return (
    boxes[a] <= others[b + 3] &&
    others[b] <= boxes[a + 3] &&
    boxes[a + 1] <= others[b + 4] &&
    others[b + 1] <= boxes[a + 4] &&
    boxes[a + 2] <= others[b + 5] &&
    others[b + 2] <= boxes[a + 5]
  );
}

/** The pairs of a leaf's boxes with each other. */
function pairWithin(tree: BoxTree, leaf: number, filters: CollisionFilters, found: PairSink): void {
  const { firsts, ends } = tree;
  for (let i = firsts[leaf]; i < ends[leaf] - 1; i++) pairWithRange(tree, i, i + 1, ends[leaf], filters, found);
}

/** The pairs of one leaf's boxes with another's. */
function pairBetween(tree: BoxTree, a: number, b: number, filters: CollisionFilters, found: PairSink): void {
  const { boxes, nodeBoxes, firsts, ends } = tree;
  for (let i = firsts[a]; i < ends[a]; i++) {
    if (overlap(boxes, i, nodeBoxes, b)) pairWithRange(tree, i, firsts[b], ends[b], filters, found);
  }
}

/** The pairs of box i with those from `first` up to `end`. */
function pairWithRange(
  { boxes, bodies }: BoxTree,
  i: number,
  first: number,
  end: number,
  filters: CollisionFilters,
  found: PairSink,
): void {
  const lowX = boxes[6 * i];
  const lowY = boxes[6 * i + 1];
  const lowZ = boxes[6 * i + 2];
  const highX = boxes[6 * i + 3];
  const highY = boxes[6 * i + 4];
  const highZ = boxes[6 * i + 5];
  for (let at = 6 * first, j = first; j < end; j++, at += 6) {
    if (boxes[at] > highX || boxes[at + 3] < lowX || boxes[at + 1] > highY) continue;
    if (boxes[at + 4] < lowY || boxes[at + 2] > highZ || boxes[at + 5] < lowZ) continue;
    if (arePaired(filters, bodies[i], bodies[j])) found.add(bodies[i], bodies[j]);
  }
}
