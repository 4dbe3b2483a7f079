/** The broad phase in 3-D. */
import type { PosedBodies } from '../api/bodies.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { boundBodies, boundHalfspaces } from './bounds.ts';
import { searchPairs, type PairSearch } from './search-pairs.ts';

/** The pairs of bodies whose boxes or half-spaces are at most the margin apart, or come to be. */
function* findPairs(
  bodies: PosedBodies,
  shapes: readonly (ShapeData | undefined)[],
  search: PairSearch,
): Work<Uint32Array> {
  const boxes = yield* boundBodies(bodies, shapes, search);
  const halfspaces = yield* boundHalfspaces(bodies, shapes, search);
  return yield* searchPairs(boxes, halfspaces, search.filters, search.maxPairs);
}

export const bodyBroadPhase = { findPairs, boundBodies };
