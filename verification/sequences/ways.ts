/**
 * Ways of asking: a query with what its kernels depend on. A block of sequences keeps to a few of them, because software
 * adapters compile the kernels of each for seconds.
 */

import { below, uniform, type Random } from '../families/random.ts';
import { haveParts, withoutParts, type Axes } from './scene.ts';

export const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const;
export type Query = (typeof QUERIES)[number];

export interface Way {
  query: Query | 'rayCasts' | 'findPairs' | 'trianglePairs';
  algorithm?: string;
  mprDepth?: string;
  /** A margin above 0 needs other kernels than 0. */
  hasMargin: boolean;
  isWide: boolean;
  isWarm: boolean;
  isTurning: boolean;
  stopAtPenetration: boolean;
  /** The types of the shapes. */
  types: readonly string[];
}

export interface BatchWay extends Way {
  query: Query | 'rayCasts' | 'findPairs';
  broadPhase: boolean;
  results: 'all' | 'hits' | 'earliest';
}

/** `types` of the block; a way takes some of them, or all. */
export function makeWay(axes: Axes, types: readonly string[], random: Random): Way {
  const query = pick(random, [...QUERIES, ...QUERIES, 'rayCasts', 'findPairs'] as const);
  const own = someOf(types, random);
  const isOfMotion = query === 'impacts' || query === 'rayCasts';
  const algorithm =
    query === 'findPairs'
      ? undefined
      : pick(random, isOfMotion ? ['auto', 'auto', 'velocity-epa'] : ['auto', 'auto', 'auto', 'gjk', 'mpr']);
  return {
    query,
    algorithm,
    ...(algorithm === 'mpr' &&
      ['contacts', 'manifolds'].includes(query) && { mprDepth: pick(random, ['ray', 'normal']) }),
    hasMargin: below(random, 3) > 0,
    isWide: below(random, 10) === 0,
    isWarm: axes === 3 && !isOfMotion && query !== 'findPairs' && !haveParts(own) && below(random, 10) === 0,
    isTurning: query === 'impacts' && below(random, 2) === 0,
    stopAtPenetration: query !== 'impacts' || below(random, 4) > 0,
    types: own,
  };
}

export function makeBatchWay(axes: Axes, types: readonly string[], random: Random): BatchWay {
  const way = makeWay(axes, withoutParts(types), random);
  const results = pick(random, ['all', 'all', 'hits', ...(way.query === 'impacts' ? ['earliest'] : [])] as const);
  // Compounds, meshes and 64-bit positions are no input of batches.
  return {
    ...way,
    query: way.query as BatchWay['query'],
    isWide: false,
    broadPhase: below(random, 2) === 0,
    results: results as BatchWay['results'],
  };
}

/** Triangles of two meshes, where the block has meshes. */
export const TRIANGLE_WAY: Way = {
  query: 'trianglePairs',
  hasMargin: false,
  isWide: false,
  isWarm: false,
  isTurning: false,
  stopAtPenetration: true,
  types: ['mesh'],
};

/** The margin of a query that goes this way. */
export function marginOf({ query, hasMargin }: Way, random: Random): number | undefined {
  if (query === 'rayCasts' || query === 'trianglePairs') return undefined;
  if (!hasMargin) return query === 'distances' ? Infinity : 0;
  return below(random, 4) === 0 && !['impacts', 'findPairs'].includes(query) ? Infinity : uniform(random, 0.01, 0.5);
}

/** Mostly all, whose kernels for any kind serve many blocks. */
function someOf(types: readonly string[], random: Random): readonly string[] {
  if (below(random, 3) > 0) return types;
  const some = types.filter(() => below(random, 2) === 0);
  const bounded = some.some((type) => type !== 'halfspace');
  return bounded ? some : types;
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)];
}
