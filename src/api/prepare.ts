import type { Algorithm, MprDepth } from './options.ts';
import type { QueryName } from './queries.ts';

/**
 * Options of `prepare`: the query, and those of its options that decide which kernels it runs. Each has the default that
 * it has in the query.
 */
export interface PrepareOptions {
  query: QueryName | 'rayCasts' | 'findPairs' | 'trianglePairs';
  algorithm?: Algorithm | 'epa';
  /** Only with `algorithm: 'mpr'`. */
  mprDepth?: MprDepth;
  margin?: number;
  /** `'earliest'`: only for `impacts`. */
  results?: 'all' | 'hits' | 'earliest';
  /** Also loads the double-precision reference. */
  escalate?: boolean;
  /** Whether the query will have a `warmStart`. Default false; 3-D only. */
  warmStart?: boolean;
  /** Whether positions will be a `Float64Array`. Default false. */
  float64Positions?: boolean;
  /** Only for `impacts`: whether bodies will have angular velocities. Default false. */
  turning?: boolean;
  /** Only for `impacts`. */
  stopAtPenetration?: boolean;
}
