/** The boxes of a tree that pass a test, as those that a ray or a half-space may meet. */
import type { Work } from '../util/turns.ts';
import type { BoxTree } from './box-tree.ts';
import { groupsMeet } from './filters.ts';

/** Steps of the work that a test of a box takes. */
const STEPS_PER_TEST = 16;

/** A ray or a half-space that looks for boxes. */
export interface Seeker {
  readonly groups: number;
  /** Whether fixed bodies are left out. */
  readonly isFixed: boolean;
  /** Whether it may meet the box that begins at `at`. True of a box only if it is true of all boxes that contain it. */
  meets(boxes: Float64Array, at: number): boolean;
}

/**
 * Calls `found` with each body whose box the seeker may meet. Skips nodes whose groups do not match the seeker's, and
 * fixed bodies as `isFixed` says; the caller checks the groups of each body. `isDue` counts the steps of the work.
 */
export function* searchTree(
  { boxes, bodies, nodeBoxes, nodeGroups, rightChildren, firsts, ends, roots }: BoxTree,
  seeker: Seeker,
  found: (body: number) => void,
  isDue: (steps: number) => boolean,
): Work<void> {
  const waiting: number[] = [];
  for (const { node, isFixed } of roots) if (!(isFixed && seeker.isFixed)) waiting.push(node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isDue(STEPS_PER_TEST)) yield;
    if (nodeGroups && !groupsMeet(seeker.groups, nodeGroups[node])) continue;
    if (!seeker.meets(nodeBoxes, 6 * node)) continue;
    if (rightChildren[node] > 0) {
      waiting.push(rightChildren[node], node + 1);
      continue;
    }
    for (let i = firsts[node]; i < ends[node]; i++) if (seeker.meets(boxes, 6 * i)) found(bodies[i]);
  }
}
