/** Queries over pairs by name. */
import type { Impacts } from './motion.ts';
import type { Contacts, Distances, Intersections, Manifolds } from './results.ts';
import type { SpaceVector } from './vectors.ts';

/** The result of each query over pairs. */
export interface QueryResults<Vector = SpaceVector> {
  intersects: Intersections;
  distances: Distances<Vector>;
  contacts: Contacts<Vector>;
  manifolds: Manifolds<Vector>;
  impacts: Impacts<Vector>;
}
export type QueryName = keyof QueryResults;
export type QueryResult = QueryResults[QueryName];
