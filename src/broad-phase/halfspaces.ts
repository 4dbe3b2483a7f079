/**
 * The pairs of half-spaces and boxes. A half-space has no box. There are few of them, so each is tested against all boxes.
 */
import type { CollisionFilters } from '../api/bodies.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { BoxTree } from './box-tree.ts';
import { arePaired } from './filters.ts';
import type { PairList } from './pair-list.ts';

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
   * box's centre and the position.
   */
  slack: number;
}

/** Boxes per step. */
const AT_ONCE = 256;

/** Adds all pairs of a half-space and a box that meet, and that the filters leave, to `found`. */
export function* addHalfspacePairs(
  halfspaces: readonly WorldHalfspace[],
  tree: BoxTree,
  filters: CollisionFilters,
  found: PairList,
): Work<void> {
  const isDue = createPace();
  const { length } = tree.bodies;
  for (const halfspace of halfspaces) {
    for (let first = 0; first < length; first += AT_ONCE) {
      pairWithSome(halfspace, tree, first, Math.min(first + AT_ONCE, length), filters, found);
      if (isDue(16 * AT_ONCE)) yield;
    }
  }
}

/** The pairs of a half-space with the tree's boxes from `first` up to `end`. */
function pairWithSome(
  halfspace: WorldHalfspace,
  { boxes, bodies }: BoxTree,
  first: number,
  end: number,
  filters: CollisionFilters,
  found: PairList,
): void {
  for (let i = first; i < end; i++) {
    if (meets(halfspace, boxes, 6 * i) && arePaired(filters, halfspace.body, bodies[i]))
      found.add(halfspace.body, bodies[i]);
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
    squared += ((boxes[at + k] + boxes[at + 3 + k]) / 2 - position[k]) ** 2;
    rounding += 2 ** -50 * (Math.abs(corner) + Math.abs(position[k]));
  }
  return lowest <= offset + slack * Math.sqrt(squared) + rounding;
}
