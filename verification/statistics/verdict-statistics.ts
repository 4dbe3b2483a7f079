/**
 * Statistics over the verdicts of many pairs: counts of faults, histograms of errors, and the worst pairs. Their size
 * does not grow with the number of pairs.
 */

import { FAULT_KINDS, QUANTITIES } from '../judges/faults.ts';
import type { FaultKind, Quantity, Verdict } from '../judges/faults.ts';
import { countError, createHistogram } from './histogram.ts';
import type { Histogram } from './histogram.ts';
import { createWorst, keepWorst } from './worst.ts';
import type { Worst } from './worst.ts';

export interface Errors {
  histogram: Histogram;
  /** The largest error as a share of max(s, |B - A|), and its pair; null if nothing was measured. */
  largest: { error: number; pair: number } | null;
}

export interface VerdictStatistics<Item> {
  pairs: number;
  /** Pairs with at least one fault. */
  faulty: number;
  /** Number of pairs by kind of fault. A pair may have several. */
  faults: Record<FaultKind, number>;
  /** Pairs beyond the margin with a lower bound of their distance. The error of a bound is its excess. */
  leftEarly: number;
  unanswered: {
    /** Pairs for which only the reference has an answer. */
    engine: number;
    /** Pairs for which only the engine has an answer; it is judged by the bounds of the reference. */
    reference: number;
    /** Pairs for which neither has an answer. */
    both: number;
  };
  /** Calls with wrong status counts, and a description of the first. */
  miscounts: { calls: number; first: string | null };
  errors: Record<Quantity, Errors>;
  worst: Worst<Item>;
}

export function createStatistics<Item>(tolerance: number, wanted: number): VerdictStatistics<Item> {
  return {
    pairs: 0,
    faulty: 0,
    faults: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>,
    leftEarly: 0,
    unanswered: { engine: 0, reference: 0, both: 0 },
    miscounts: { calls: 0, first: null },
    errors: Object.fromEntries(
      QUANTITIES.map((quantity) => [quantity, { histogram: createHistogram(tolerance), largest: null }]),
    ) as Record<Quantity, Errors>,
    worst: createWorst(wanted),
  };
}

/** Adds a verdict. Calls `makeItem` only if the pair may be among the worst. */
export function addVerdict<Item>(
  statistics: VerdictStatistics<Item>,
  pair: number,
  verdict: Verdict,
  referenceAnswered: boolean,
  makeItem: () => Item,
): void {
  statistics.pairs++;
  if (verdict.faults.length > 0) statistics.faulty++;
  for (const kind of verdict.faults) statistics.faults[kind]++;
  if (verdict.leftEarly) statistics.leftEarly++;
  if (!referenceAnswered) statistics.unanswered[verdict.isUnanswered ? 'both' : 'reference']++;
  else if (verdict.isUnanswered) statistics.unanswered.engine++;
  let largest = -1;
  for (const quantity of QUANTITIES) {
    const error = verdict.errors[quantity];
    if (Number.isNaN(error)) continue;
    const errors = statistics.errors[quantity];
    countError(errors.histogram, error);
    if (errors.largest === null || error > errors.largest.error) errors.largest = { error, pair };
    largest = Math.max(largest, error);
  }
  // Order: pairs with faults, then pairs without an answer, then by the largest error of any quantity.
  const rank = verdict.faults.length > 0 ? 2 : verdict.isUnanswered ? 1 : 0;
  if (rank === 0 && largest < 0) return;
  keepWorst(statistics.worst, { pair, rank, error: largest }, makeItem);
}

/** Counts a call with wrong status counts. `words` describes the error; null if the counts are right. */
export function countMiscount({ miscounts }: VerdictStatistics<unknown>, words: string | null): void {
  if (words === null) return;
  miscounts.calls++;
  miscounts.first ??= words;
}

/** Whether there is no fault, no wrong count, and no pair that only the reference can answer. */
export function hasPassed({ faulty, unanswered, miscounts }: VerdictStatistics<unknown>): boolean {
  return faulty === 0 && unanswered.engine === 0 && miscounts.calls === 0;
}
