/** Options and results of the oracle. */

import type { Vector } from './shape.ts';

export interface OracleResult {
  /** Gap of the surfaces, or minus the least translation that separates. */
  distance: number;
  /** Unit vector in world space from A to B. */
  normal: Vector;
  /**
   * Bounds of the true distance proved by a search over directions, up to rounding; left out if there was no search.
   */
  low?: number;
  high?: number;
}

export interface OracleOptions {
  /**
   * Polytopes: try everything to the end, even what can't be the answer. Curved shapes: branch and bound alone, without
   * Newton steps, until `low` and `high` are within 1e-6 of max(s, |B - A|), or a million triangles were cut.
   */
  exhaustive?: boolean;
}
