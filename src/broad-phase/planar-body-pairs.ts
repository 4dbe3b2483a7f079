/** The broad phase in 2-D. */
import type { PlanarBodies } from '../api/planar.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { Work } from '../util/turns.ts';
import { boundPlanarBodies } from './planar-bounds.ts';
import { searchPairs, type PairSearch } from './search-pairs.ts';

/** The pairs of bodies whose boxes are at most the margin apart, or come to be. */
function* findPairs(
  bodies: PlanarBodies,
  shapes: readonly (PlanarShapeData | undefined)[],
  search: PairSearch,
): Work<Uint32Array> {
  const boxes = yield* boundPlanarBodies(bodies, shapes, search);
  return yield* searchPairs(boxes, [], search.filters, search.maxPairs);
}

export const planarBroadPhase = { findPairs, boundBodies: boundPlanarBodies };
