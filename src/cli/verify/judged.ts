/** A judged pair, as tallies and reports get it. */

import type { Answer } from '../../../verification/engines/engine.ts';
import type { Verdict } from '../../../verification/judges/faults.ts';
import type { Reference } from '../../../verification/judges/reference.ts';

/** A pair that was judged: what is known of it, and what the engine says. */
export interface Judged {
  /** Index into the pairs. */
  pair: number;
  reference: Reference;
  /** The answer of all pairs, and the pair's place in it; null where it has none. */
  answer: Answer | null;
  slot: number;
  /** Whether it is among the hits. */
  isListed: boolean;
  verdict: Verdict;
}
