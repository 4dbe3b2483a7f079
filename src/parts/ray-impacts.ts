/** The impacts of one body after the other with a moving body, such as a ray: of compounds and meshes. */
import { createPairPlaces } from '../cpu/parts/pair-places.ts';
import type { QueryRequest } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { createCandidates } from './candidates.ts';
import { createKnownAnswer } from './known-answer.ts';
import { meshEdges } from './mesh-edges.ts';
import { partTree } from './part-sources.ts';
import { createPairSearch } from './search-pair.ts';
import { createSurfaceContacts } from './surface-contacts.ts';
import type { PairResult } from '../cpu/queries/result.ts';

export interface PartImpacts {
  /** Whether the tree of a shape is built. */
  isReady(shape: ShapeData): boolean;
  /** Builds it. */
  prepare(shape: ShapeData): Work<void>;
  /** The impact of the request's first pair, as its arrays are now. One of the two has parts, and both are ready. */
  find(): PairResult;
}

/** `request` is for impacts of a pair, whose bodies change between calls. */
export function createPartImpacts(request: QueryRequest): PartImpacts {
  const places = createPairPlaces();
  const search = createPairSearch(request, places, createSurfaceContacts(request, places), false);
  const known = createKnownAnswer();
  const none = createCandidates();
  const ready = new WeakSet<ShapeData>();
  return {
    isReady: (shape) => ready.has(shape),
    *prepare(shape) {
      yield* partTree(shape);
      if (shape.parts?.type === 'mesh') yield* meshEdges(shape.parts);
      ready.add(shape);
    },
    find() {
      search.search(0, none, known);
      return known.result;
    },
  };
}
