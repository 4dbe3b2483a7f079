/** The queries that are measured. */

/** Those of all workloads; `impacts` has workloads of its own, in motion. */
export const QUERIES = ['intersects', 'contacts', 'distances'] as const;
export type Query = (typeof QUERIES)[number] | 'manifolds' | 'impacts';
