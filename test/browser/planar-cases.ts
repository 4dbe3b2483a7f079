/** The queries of the plane that the browsers run. */

import type { Algorithm } from '../../src/api/types.ts';

export interface PlanarCase {
  query: 'intersects' | 'distances' | 'contacts' | 'manifolds';
  algorithm: Algorithm;
}

/** Every query by the default algorithm, and one query by each other algorithm. */
export const planarCases: PlanarCase[] = [
  ...(['intersects', 'distances', 'contacts', 'manifolds'] as const).map(
    (query) => ({ query, algorithm: 'auto' }) as const,
  ),
  { query: 'intersects', algorithm: 'sat' },
  { query: 'distances', algorithm: 'gjk' },
  { query: 'contacts', algorithm: 'mpr' },
];
