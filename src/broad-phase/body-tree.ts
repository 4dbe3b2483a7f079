/** The boxes of bodies in a tree, and the half-spaces among them, which have no boxes. Searches for pairs and rays use it. */
import type { CollisionFilters } from '../api/bodies.ts';
import type { Work } from '../util/turns.ts';
import type { Bounding } from './bounding.ts';
import { buildBoxTree, type BoxTree } from './box-tree.ts';
import type { WorldHalfspace } from './halfspaces.ts';

export interface BodyTree {
  readonly tree: BoxTree;
  readonly halfspaces: readonly WorldHalfspace[];
  /** Of boxes and half-spaces. */
  readonly bodyCount: number;
}

/** What a tree is built for. Trees for rays are of bodies at rest, with the margin 0. */
export interface TreeForm extends Bounding {
  readonly filters: CollisionFilters;
}

/** `boxes` holds 6 numbers per body; those of half-spaces are empty. */
export function* buildBodyTree(
  boxes: Float64Array,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
): Work<BodyTree> {
  return { tree: yield* buildBoxTree(boxes, filters), halfspaces, bodyCount: boxes.length / 6 };
}
