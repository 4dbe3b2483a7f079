/** Public types for queries by name. */
import type { Impacts } from './motion.ts';
import type { Contacts, Distances, Intersections, Manifolds } from './results.ts';
import type { Vec3 } from './vectors.ts';

/** The result type of each query over pairs. */
export interface QueryResults<Vector = Vec3> {
  intersects: Intersections;
  distances: Distances<Vector>;
  contacts: Contacts<Vector>;
  manifolds: Manifolds<Vector>;
  impacts: Impacts<Vector>;
}

/** Name of a query over pairs. */
export type QueryName = keyof QueryResults;

/** Result of any query over pairs, in 3-D. */
export type QueryResult = QueryResults[QueryName];
