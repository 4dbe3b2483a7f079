/** A judged pair, in the form that tallies and reports use. */

import type { Answer } from '../../../verification/engines/engine.ts';
import type { Verdict } from '../../../verification/judges/faults.ts';
import type { Reference } from '../../../verification/judges/reference.ts';

/** A judged pair: its reference answer, and the engine's answer. */
export interface Judged {
  /** Index into the pairs. */
  pair: number;
  reference: Reference;
  /** The answer for all pairs, and the pair's slot in it; null if the pair has no answer. */
  answer: Answer | null;
  slot: number;
  /** Whether the pair is among the hits. */
  isListed: boolean;
  verdict: Verdict;
}
