/** The queries of the plane that the browsers run. */

import type { Algorithm } from '../../src/api/types.ts';

export interface PlanarCase {
  query: 'intersects' | 'distances' | 'contacts' | 'manifolds';
  algorithm: Algorithm;
}

/** Pairs of each two types of shape. */
export const PAIRS_OF_TWO_TYPES = 40;
