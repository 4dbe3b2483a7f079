/** The broad phase in 3-D. */
import type { PosedBodies } from '../api/bodies.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { buildBodyTree, type BodyTree, type TreeForm } from './body-tree.ts';
import { boundBodies, boundHalfspaces } from './bounds.ts';
import { searchTreePairs } from './search-pairs.ts';

/** The tree of bodies whose boxes and half-spaces are enlarged by the margin, and enclose their motion. */
function* buildTree(bodies: PosedBodies, shapes: readonly (ShapeData | undefined)[], form: TreeForm): Work<BodyTree> {
  const boxes = yield* boundBodies(bodies, shapes, form);
  const halfspaces = yield* boundHalfspaces(bodies, shapes, form);
  return yield* buildBodyTree(boxes, halfspaces, form.filters);
}

export const bodyBroadPhase = { buildTree, findPairs: searchTreePairs };
