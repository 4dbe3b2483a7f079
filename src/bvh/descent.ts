/**
 * The descent of two trees whose bodies are at rest: for all pairs of parts within a margin (find-part-pairs.ts), and for the
 * nearest ones (nearest-parts.ts).
 *
 * A step takes a pair of nodes, cuts the larger box, and tests both children against the other box (box-overlap.ts,
 * aligned-overlap.ts, box-distance.ts). The nearer child is next, and the other one waits on the stack. So a first hit is found
 * with a third fewer tests, and a small distance early. Pairs whose bound is more than `most` are cut off.
 */
import { testAlignedChildren } from './aligned-overlap.ts';
import { boundChildren } from './box-distance.ts';
import { testChildren } from './box-overlap.ts';
import type { PartTree } from './part-tree.ts';
import type { Placement } from './placement.ts';
import { noteCut } from './separation.ts';
import { bounds as childBounds, LEFT_IS_CUT, placeTrees, RIGHT_IS_CUT, RIGHT_IS_NEXT, setMost } from './tree-places.ts';
import { BOXES_AT_ONCE, PART_TEST, type Walk } from './walk.ts';

/** Two trees, and where the second one is from the first one. */
export interface TreePair {
  readonly a: PartTree;
  readonly b: PartTree;
  readonly placement: Placement;
}

/** What a search does with pairs of nodes and of parts. */
export interface Descent extends TreePair {
  /** Whether bounds are needed of the distances of boxes, and not only whether they are farther apart than `most`. */
  readonly isExact: boolean;
  /** Pairs with greater lower bounds of their distance are cut off. A length in A's axes at full scale. */
  most: number;
  /** Takes a pair of parts. If it returns true, the descent ends. */
  readonly visit: Visit;
  /** Whether a pair of nodes does not matter, whatever its bound is. */
  skips: ((nodeA: number, nodeB: number) => boolean) | undefined;
}

export type Visit = (partA: number, partB: number) => boolean | void;

export function makeDescent({ a, b, placement }: TreePair, isExact: boolean, most: number, visit: Visit): Descent {
  return { a, b, placement, isExact, most, visit, skips: undefined };
}

/** The descent whose trees are placed. */
let placed: Descent | undefined;

function place(descent: Descent): void {
  placeTrees(descent.a, descent.b, descent.placement);
  placed = descent;
}

const BOTH_ARE_CUT = LEFT_IS_CUT | RIGHT_IS_CUT;

/**
 * Goes on with the pairs of nodes on the stack until it is empty, or until the work of `BOXES_AT_ONCE` tests of boxes is done.
 * Returns whether a visit has ended the descent.
 */
export function descend(descent: Descent, walk: Walk): boolean {
  const { a, b, placement, isExact, visit, skips } = descent;
  const { stack, bounds } = walk;
  const linksA = a.links;
  const linksB = b.links;
  const scale = placement.scaleB / placement.scaleA;
  const isAligned = !a.axes && !b.axes;
  place(descent);
  setMost(descent.most);
  let { top } = walk;
  let boxTests = 0;
  let work = 0;
  let isEnd = false;
  while (top > 0 && work < BOXES_AT_ONCE) {
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    if (bounds[top] > descent.most) {
      if (bounds[top] < walk.bound) noteCut(a, nodeA, b, nodeB, placement, walk);
      continue;
    }
    for (;;) {
      if (skips !== undefined && skips(nodeA, nodeB)) break;
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if ((linkA & linkB) < 0) {
        work += PART_TEST;
        walk.partTests++;
        if (visit(-1 - linkA, -1 - linkB)) {
          isEnd = true;
          top = 0;
        }
        // The visit may have been another descent.
        if (placed !== descent) place(descent);
        setMost(descent.most);
        break;
      }
      boxTests += 2;
      work += 2;
      const cutsA = linkB < 0 || (linkA >= 0 && sizeOf(a.boxes, nodeA) >= scale * sizeOf(b.boxes, nodeB));
      const left = cutsA ? linkA : linkB;
      const cut = cutsA ? a : b;
      const fixed = cutsA ? b : a;
      const node = cutsA ? nodeB : nodeA;
      // Calls of known functions, which engines do not look up.
      const verdict = isExact
        ? boundChildren(cut, left, fixed, node, cutsA)
        : isAligned
          ? testAlignedChildren(cut, left, fixed, node, cutsA)
          : testChildren(cut, left, fixed, node, cutsA);
      const next = left + (verdict & RIGHT_IS_NEXT);
      if (verdict >= LEFT_IS_CUT) {
        if (walk.bound > 0) noteCuts(descent, nodeA, nodeB, cutsA, verdict, walk);
        if (verdict === BOTH_ARE_CUT) break;
      } else {
        const other = 2 * left + 1 - next;
        stack[2 * top] = cutsA ? other : nodeA;
        stack[2 * top + 1] = cutsA ? nodeB : other;
        bounds[top] = childBounds[other - left];
        top++;
      }
      if (cutsA) nodeA = next;
      else nodeB = next;
    }
  }
  placed = undefined;
  walk.top = top;
  walk.boxTests += boxTests;
  return isEnd;
}

/** The sum of a box's half extents. */
function sizeOf(boxes: Float32Array, node: number): number {
  const at = Math.imul(6, node);
  return boxes[at + 3] + boxes[at + 4] + boxes[at + 5];
}

/** Keeps the lower bounds of children that were cut off, if they are the least so far. */
function noteCuts(
  { a, b, placement }: TreePair,
  nodeA: number,
  nodeB: number,
  cutsA: boolean,
  verdict: number,
  walk: Walk,
): void {
  const left = cutsA ? a.links[nodeA] : b.links[nodeB];
  for (let k = 0; k < 2; k++) {
    if (!(verdict & (k === 0 ? LEFT_IS_CUT : RIGHT_IS_CUT)) || !(childBounds[k] < walk.bound)) continue;
    noteCut(a, cutsA ? left + k : nodeA, b, cutsA ? nodeB : left + k, placement, walk);
  }
}
