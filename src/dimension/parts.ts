/** Everything that depends on the dimension, by the part of the package that needs it. */
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { Planners } from '../gpu/planner.ts';
import type { Dimension } from '../request/dimension.ts';

export interface DimensionParts {
  /** For queries. */
  readonly dimension: Dimension;
  /** For the GPU backend. */
  readonly planners: Planners;
  /** For the CPU backend, and for pairs that a GPU leaves open. */
  loadReference(): Promise<AnswerPair>;
}
