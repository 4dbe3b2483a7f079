/**
 * Totals over all pairs: counts of faults, histograms of errors, and the worst pairs. The size does not grow with the
 * number of pairs.
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

export interface Tally<Item> {
  pairs: number;
  /** Pairs with at least one fault. */
  faulty: number;
  /** Pairs by kind of fault; one pair may have several. */
  faults: Record<FaultKind, number>;
  /**
   * Pairs beyond the margin that have a lower bound of their distance. The error is the amount by which it is too high.
   */
  leftEarly: number;
  unanswered: {
    /** Pairs without an answer of the engine although the reference has one. */
    engine: number;
    /** Pairs without an answer of the reference. The engine is then judged by the reference's bounds. */
    reference: number;
    /** Pairs for which neither has an answer. */
    both: number;
  };
  /** Calls whose status counts don't match their pairs, and a description of the first one. */
  miscounts: { calls: number; first: string | null };
  errors: Record<Quantity, Errors>;
  worst: Worst<Item>;
}

export function createTally<Item>(tolerance: number, wanted: number): Tally<Item> {
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

/** Adds a verdict. `makeItem` is called only if the pair may be among the worst. */
export function addVerdict<Item>(
  tally: Tally<Item>,
  pair: number,
  verdict: Verdict,
  referenceAnswered: boolean,
  makeItem: () => Item,
): void {
  tally.pairs++;
  if (verdict.faults.length > 0) tally.faulty++;
  for (const kind of verdict.faults) tally.faults[kind]++;
  if (verdict.leftEarly) tally.leftEarly++;
  if (!referenceAnswered) tally.unanswered[verdict.isUnanswered ? 'both' : 'reference']++;
  else if (verdict.isUnanswered) tally.unanswered.engine++;
  let largest = -1;
  for (const quantity of QUANTITIES) {
    const error = verdict.errors[quantity];
    if (Number.isNaN(error)) continue;
    const errors = tally.errors[quantity];
    countError(errors.histogram, error);
    if (errors.largest === null || error > errors.largest.error) errors.largest = { error, pair };
    largest = Math.max(largest, error);
  }
  // Order: pairs with faults, then pairs without an answer, then by the largest error of any quantity.
  const rank = verdict.faults.length > 0 ? 2 : verdict.isUnanswered ? 1 : 0;
  if (rank === 0 && largest < 0) return;
  keepWorst(tally.worst, { pair, rank, error: largest }, makeItem);
}

/** `words` describes what is wrong with the counts of a call; null if nothing is. */
export function countMiscount({ miscounts }: Tally<unknown>, words: string | null): void {
  if (words === null) return;
  miscounts.calls++;
  miscounts.first ??= words;
}

/** Whether there is no fault, no wrong count, and no unanswered pair for which the reference has an answer. */
export function hasPassed({ faulty, unanswered, miscounts }: Tally<unknown>): boolean {
  return faulty === 0 && unanswered.engine === 0 && miscounts.calls === 0;
}
