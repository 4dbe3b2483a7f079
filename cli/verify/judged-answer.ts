/** A judged answer, as statistics and reports receive it. */

import type { Answer } from '../../verification/engines/engine.ts';
import type { Verdict } from '../../verification/judges/faults.ts';
import type { Reference } from '../../verification/judges/reference.ts';

/** The answer of an engine for one pair, with the reference and the verdict. */
export interface JudgedAnswer {
  /** Index into the pairs. */
  pair: number;
  reference: Reference;
  /** The answer for all pairs, in which the pair is at `slot`; null if the pair is missing. */
  answer: Answer | null;
  slot: number;
  /** Whether the pair is among the hits. */
  isListed: boolean;
  verdict: Verdict;
}
