/** The queries over pairs. */
import type { QueryName } from '../api/queries.ts';
import { namesOf } from './known.ts';

export const QUERY_NAMES = namesOf<Record<QueryName, unknown>>({
  intersects: true,
  distances: true,
  contacts: true,
  manifolds: true,
  impacts: true,
});
