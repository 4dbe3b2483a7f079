/**
 * What a pair of bodies needs: an answer that is known at once, or the pairs of their parts that are to be answered.
 *
 * The nearest parts are found by branch and bound in double precision, which decides pairs that are apart. If the bodies
 * overlap, the pairs of parts whose boxes meet are left, and the deepest is chosen later.
 */
import type { TreePair } from '../bvh/descent.ts';
import { firstHit } from '../bvh/find-part-pairs.ts';
import { findSweptPairs } from '../bvh/find-swept-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import { decided, invalidPair } from '../cpu/queries/result.ts';
import { turnsTooFar } from '../records/turning.ts';
import type { AskedQuery } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { addCandidate, type Candidates } from './candidates.ts';
import { placePair } from '../cpu/parts/pair-places.ts';
import { impactQueryOf } from '../cpu/parts/part-impacts.ts';
import { treeOf } from '../bvh/kept-trees.ts';
import { createSweep, type BodySweep } from './sweep-bodies.ts';
import { createFirstImpact, type FindFirstImpact } from './first-impact.ts';
import type { KnownAnswer } from './known-answer.ts';
import { addAll, searchNearest } from './search-nearest.ts';
import type { PartPlaces } from './part-geometry.ts';
import { createSearchState, mayHaveSurface, setParts, type SearchState } from './search-state.ts';
import type { SurfaceImpacts } from './surface/surface-impacts.ts';

export interface PairSearch {
  /** Tests of boxes and of parts so far. */
  readonly walk: Walk;
  /**
   * Searches a pair: writes the answer to `known` and returns true, or adds pairs of parts to `candidates` and returns false.
   * Between two yields the caller may take candidates away.
   */
  search(pair: number, candidates: Candidates, known: KnownAnswer): Work<boolean>;
}

/**
 * A search for the pairs of a query. The trees of its shapes are built. It leaves the bodies of the last pair in `places`.
 * `listsParts`: all pairs of parts that may hit are found, not only those that may decide. `surface`: decides about impacts
 * with meshes; without it, the first impact with any triangle counts.
 */
export function createPairSearch(
  asked: AskedQuery,
  listsParts: boolean,
  places: PartPlaces,
  surface?: SurfaceImpacts,
): PairSearch {
  const { margin } = asked.what;
  const { pairs, motion } = asked.over;
  const { bodies, dimension } = asked.over;
  const { geometry } = places;
  const table = asked.over.shapes.shapes as readonly (ShapeData | undefined)[];
  const state = createSearchState(asked, listsParts, places);
  const { walk, distances, findDeepest } = state;
  const sweep = motion && createSweep(places, motion, margin);
  const moving = sweep && {
    sweep,
    findFirst: createFirstImpact(impactQueryOf(asked), places, sweep, walk, surface),
  };
  const isTooFar = (body: number): boolean =>
    motion !== undefined && turnsTooFar(motion, body, dimension.angularComponents);
  return {
    walk,
    *search(pair, candidates, known) {
      const bodyA = pairs[2 * pair];
      const bodyB = pairs[2 * pair + 1];
      if (isTooFar(bodyA) || isTooFar(bodyB)) {
        setParts(known, 0, 0);
        invalidPair(known.result);
        return true;
      }
      placePair(bodies, table, bodyA, bodyB, places);
      places.pair = pair;
      const { a, b, placement } = places;
      if (!a.shape.parts && !b.shape.parts) {
        addCandidate(candidates, pair, 0, 0);
        return false;
      }
      const halfspace = geometry.halfspaceOf(places);
      if (halfspace) {
        yield* geometry.searchHalfspace!(state, pair, candidates, halfspace === 'a');
        return false;
      }
      distances.begin();
      const trees = { a: treeOf(a.shape), b: treeOf(b.shape), placement };
      if (moving) return yield* searchMoving(state, moving, trees, pair, candidates, known);
      if (listsParts) {
        const rest = addAll(state, trees, pair, candidates, margin);
        if (rest) yield* rest;
        return false;
      }
      if (yield* searchHit(state, trees, known)) return true;
      if (findDeepest && mayHaveSurface(places) && (yield* findDeepest(known, 0))) return true;
      return yield* searchNearest(state, trees, pair, candidates, known);
    },
  };
}

interface Moving {
  readonly sweep: BodySweep;
  readonly findFirst: FindFirstImpact;
}

/** Finds the first impact, or adds all pairs of parts that can meet during the motion. */
function* searchMoving(
  { listsParts, walk }: SearchState,
  { sweep, findFirst }: Moving,
  { a, b }: TreePair,
  pair: number,
  candidates: Candidates,
  known: KnownAnswer,
): Work<boolean> {
  sweep.begin();
  if (listsParts) {
    const add = (partA: number, partB: number): void => addCandidate(candidates, pair, partA, partB);
    yield* findSweptPairs(a, b, sweep, add, walk);
    return false;
  }
  const rest = findFirst(known);
  if (rest) yield* rest;
  return true;
}

/** Whether bodies meet, if that decides the answer or takes a fraction of the time of a distance, as for two meshes. */
function* searchHit(
  { what, places, distances, walk }: SearchState,
  trees: TreePair,
  known: KnownAnswer,
): Work<boolean> {
  const { query, margin } = what;
  const needsHit = query === 'intersects' && margin === 0;
  if (!needsHit && (query === 'contacts' || !places.geometry.areMeshes(places))) return false;
  const meet = (partA: number, partB: number): boolean => {
    setParts(known, partA, partB);
    return distances.meet(partA, partB);
  };
  const hits = yield* firstHit(trees, meet, walk);
  if (!hits && !needsHit) return false;
  if (!hits) setParts(known, 0, 0);
  decided(hits ? 0 : 1, 0, 1, known.result);
  return true;
}
