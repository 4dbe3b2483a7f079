/** The broad phase over boxes and half-spaces. */
import { NarrowphaseError } from '../api/errors.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import { finish, type Work } from '../util/turns.ts';
import { addBoxPairs } from './box-pairs.ts';
import { buildBodyTree, type BodyTree } from './body-tree.ts';
import { countPairs } from './count-pairs.ts';
import { addHalfspacePairs, type WorldHalfspace } from './halfspaces.ts';
import { PairList, sortPairs } from './pair-list.ts';

/** More pairs than this are counted before they are listed: there may be too many, and a list of them takes long. */
const MANY = 2 ** 24;

/**
 * All pairs of bodies whose boxes overlap or touch, and all pairs of a half-space and a box that meet, except those that
 * the filters exclude. The list is flat, has each pair once with a < b, and is sorted by a, then b. Two half-spaces are
 * never a pair.
 *
 * The tree was built with the same filters. Throws `LIMIT_EXCEEDED` beyond `maxPairs` pairs.
 */
export function* searchTreePairs(of: BodyTree, filters: CollisionFilters, maxPairs: number): Work<Uint32Array> {
  let found = yield* listPairs(of, filters, Math.min(maxPairs, MANY));
  if (found.isFull) {
    const count = yield* countPairs(of.tree, of.halfspaces, filters);
    if (count > maxPairs)
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `the broad phase finds ${count} pairs, expected at most ${maxPairs}`,
      );
    found = yield* listPairs(of, filters, maxPairs);
  }
  return yield* sortPairs(found, of.bodyCount);
}

/**
 * Builds the tree of boxes and searches it. `boxes` holds 6 numbers per body: min x, y, z, max x, y, z. Those of
 * half-spaces are empty: their minimum is above their maximum.
 */
export function* searchPairs(
  boxes: Float64Array,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
  maxPairs: number,
): Work<Uint32Array> {
  return yield* searchTreePairs(yield* buildBodyTree(boxes, halfspaces, filters), filters, maxPairs);
}

function* listPairs({ tree, halfspaces }: BodyTree, filters: CollisionFilters, maxPairs: number): Work<PairList> {
  const found = new PairList(maxPairs);
  yield* addBoxPairs(tree, filters, found);
  yield* addHalfspacePairs(halfspaces, tree, filters, found);
  return found;
}

/** Runs `searchPairs` to the end. */
export function findPairs(
  boxes: Float64Array,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
  maxPairs: number,
): Uint32Array {
  return finish(searchPairs(boxes, halfspaces, filters, maxPairs));
}
