/** The pairs of half-spaces and boxes. A half-space has no box, so each descends the tree by itself. */
import type { CollisionFilters } from '../api/bodies.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { BoxTree } from './box-tree.ts';
import { ALL_GROUPS, arePaired } from './filters.ts';
import type { PairSink } from './pair-list.ts';
import { searchTree } from './search-tree.ts';

/** A half-space among the bodies, in world space. */
export interface WorldHalfspace {
  body: number;
  /** x, y, z. */
  position: readonly number[];
  /** Outward unit vector. */
  normal: readonly number[];
  /** Distance of the plane from the position, along the normal. `Infinity`: all boxes meet the half-space. */
  offset: number;
  /**
   * A box counts as meeting the half-space up to this height above the plane, as a share of the distance between the
   * position and the box's farthest corner.
   */
  slack: number;
}

/** Adds all pairs of a half-space and a box that meet, and that the filters leave, to `found`. */
export function* addHalfspacePairs(
  halfspaces: readonly WorldHalfspace[],
  tree: BoxTree,
  filters: CollisionFilters,
  found: PairSink,
): Work<void> {
  const isDue = createPace();
  for (const halfspace of halfspaces) {
    if (found.isFull) return;
    const { body } = halfspace;
    const seeker = {
      groups: filters.groups ? filters.groups[body] : ALL_GROUPS,
      isFixed: filters.fixed !== undefined && filters.fixed[body] !== 0,
      meets: (boxes: Float64Array, at: number) => meets(halfspace, boxes, at),
    };
    const add = (other: number): void => {
      if (arePaired(filters, body, other)) found.add(body, other);
    };
    yield* searchTree(tree, seeker, add, isDue);
  }
}

/** Whether the lowest corner of the box at `at` is in the half-space, within `slack` and rounding. */
function meets({ position, normal, offset, slack }: WorldHalfspace, boxes: Float64Array, at: number): boolean {
  let lowest = 0;
  let squared = 0;
  let rounding = 0;
  for (let k = 0; k < 3; k++) {
    const corner = normal[k] > 0 ? boxes[at + k] : boxes[at + 3 + k];
    lowest += normal[k] * (corner - position[k]);
    const farthest = Math.max(Math.abs(boxes[at + k] - position[k]), Math.abs(boxes[at + 3 + k] - position[k]));
    squared += farthest ** 2;
    rounding += 2 ** -50 * (farthest + Math.abs(position[k]));
  }
  return lowest <= offset + slack * Math.sqrt(squared) + rounding;
}
