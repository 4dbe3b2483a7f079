/** What the oracle is asked for, and what it answers. */

import type { Vector } from './shape.ts';

export interface OracleResult {
  /** Gap of the surfaces, or minus the least translation that separates. */
  distance: number;
  /** Unit vector in world space from A to B. */
  normal: Vector;
  /** What a search over directions proves about the true distance, but for rounding; left out where there was none. */
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
