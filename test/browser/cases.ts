/** The queries that the browsers run on every family. */

import type { CommandQuery } from '../../verification/engines/engine.ts';
import type { Algorithm } from '../../src/api/types.ts';

export interface QueryCase {
  query: CommandQuery;
  algorithm: Algorithm;
  /** undefined: the query's own default. */
  margin?: number;
}

/** Number of random pairs, and their seed. */
export interface Sample {
  count: number;
  seed: number;
}

export const QUERIES: CommandQuery[] = ['intersects', 'distances', 'contacts'];

/**
 * Every query by each of the algorithms, with the default margin and with one that f32 has and some pairs apart are
 * within.
 */
export function queryCases(algorithms: Algorithm[]): QueryCase[] {
  return QUERIES.flatMap((query) =>
    algorithms.flatMap((algorithm) => [
      { query, algorithm },
      { query, algorithm, margin: 0.0625 },
    ]),
  );
}

export function marginOf({ query, margin }: QueryCase): number {
  return margin ?? (query === 'distances' ? Infinity : 0);
}
