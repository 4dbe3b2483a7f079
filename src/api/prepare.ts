import type { ImpactAlgorithm } from './motion.ts';
import type { Algorithm, MprDepth, WarmStart } from './options.ts';
import type { QueryName } from './queries.ts';

/**
 * Options of `prepare`: `query`, and the options of that query as they will be passed to it. Options that other queries
 * have are refused.
 */
export interface PrepareOptions {
  query: QueryName | 'rayCasts' | 'findPairs' | 'trianglePairs';
  algorithm?: Algorithm | ImpactAlgorithm;
  /** Only with `algorithm: 'mpr'`. */
  mprDepth?: MprDepth;
  margin?: number;
  /** `'earliest'`: only for `impacts`. `'first'`: only for `rayCasts`, which do not have `'hits'`. */
  results?: 'all' | 'hits' | 'earliest' | 'first';
  /** Also loads the double-precision reference. */
  escalate?: boolean;
  /** The warm start of the later query, or `true` if it will have one. 3-D only. */
  warmStart?: boolean | WarmStart;
  /** Whether positions will be a `Float64Array`. Default false. */
  float64Positions?: boolean;
  /** Only for `impacts`: whether bodies will have angular velocities. Default false. */
  turning?: boolean;
  /** Only for `impacts`. */
  stopAtPenetration?: boolean;
  /** Only for `impacts` and `findPairs`. Any duration needs the same kernels. */
  duration?: number;
  /** Only for `contacts`. Makes no difference. */
  bounds?: boolean;
  /** Makes no difference. */
  bodies?: boolean;
  parts?: 'all';
  fields?: readonly string[] | undefined;
  /** Is not written. */
  target?: object;
  /** Rejects `prepare` with `ABORTED`. */
  signal?: AbortSignal;
}
