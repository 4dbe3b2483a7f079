/** The broad phase in 2-D. */
import type { PlanarBodies } from '../api/planar.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { Work } from '../util/turns.ts';
import { buildBodyTree, type BodyTree, type TreeForm } from './body-tree.ts';
import { boundPlanarBodies } from './planar-bounds.ts';
import { searchTreePairs } from './search-pairs.ts';

/** The tree of bodies whose boxes are enlarged by the margin, and enclose their motion. */
function* buildTree(
  bodies: PlanarBodies,
  shapes: readonly (PlanarShapeData | undefined)[],
  form: TreeForm,
): Work<BodyTree> {
  return yield* buildBodyTree(yield* boundPlanarBodies(bodies, shapes, form), [], form.filters);
}

export const planarBroadPhase = { buildTree, findPairs: searchTreePairs };
