/** The broad phase over boxes and half-spaces. */
import { NarrowphaseError } from '../api/errors.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import { finish, type Work } from '../util/turns.ts';
import { addBoxPairs } from './box-pairs.ts';
import { buildBoxTree, type BoxTree } from './box-tree.ts';
import { countPairs } from './count-pairs.ts';
import type { Bounding } from './bounding.ts';
import { addHalfspacePairs, type WorldHalfspace } from './halfspaces.ts';
import { PairList, sortPairs } from './pair-list.ts';

/** More pairs than this are counted before they are listed: there may be too many, and a list of them takes long. */
const MANY = 2 ** 24;

/** What a search for pairs of bodies is asked. */
export interface PairSearch extends Bounding {
  readonly filters: CollisionFilters;
  /** Beyond this many pairs, `LIMIT_EXCEEDED` is thrown. */
  readonly maxPairs: number;
}

/**
 * All pairs of bodies whose boxes overlap or touch, and all pairs of a half-space and a box that meet, except those that
 * the filters exclude. The list is flat, has each pair once with a < b, and is sorted by a, then b. Two half-spaces are
 * never a pair.
 *
 * `boxes` holds 6 numbers per body: min x, y, z, max x, y, z. Those of half-spaces are empty: their minimum is above
 * their maximum. Throws `LIMIT_EXCEEDED` beyond `maxPairs` pairs.
 */
export function* searchPairs(
  boxes: Float64Array,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
  maxPairs: number,
): Work<Uint32Array> {
  const tree = yield* buildBoxTree(boxes, filters);
  let found = yield* listPairs(tree, halfspaces, filters, Math.min(maxPairs, MANY));
  if (found.isFull) {
    const count = yield* countPairs(tree, halfspaces, filters);
    if (count > maxPairs)
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `the broad phase finds ${count} pairs, expected at most ${maxPairs}`,
      );
    found = yield* listPairs(tree, halfspaces, filters, maxPairs);
  }
  return yield* sortPairs(found, boxes.length / 6);
}

function* listPairs(
  tree: BoxTree,
  halfspaces: readonly WorldHalfspace[],
  filters: CollisionFilters,
  maxPairs: number,
): Work<PairList> {
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
