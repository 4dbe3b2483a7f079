/**
 * What comes out of all pairs: counts of faults, histograms of errors, and the worst pairs. Its size does not grow with
 * the number of pairs.
 */

import { FAULT_KINDS, QUANTITIES } from '../judges/faults.ts';
import type { FaultKind, Quantity, Verdict } from '../judges/faults.ts';
import { countError, createHistogram } from './histogram.ts';
import type { Histogram } from './histogram.ts';
import { createWorst, keepWorst } from './worst.ts';
import type { Worst } from './worst.ts';

export interface Errors {
  histogram: Histogram;
  /** The largest error as a share of max(s, |B - A|), and its pair; null where nothing was measured. */
  largest: { error: number; pair: number } | null;
}

export interface Tally<Item> {
  pairs: number;
  /** Pairs with at least one fault. */
  faulty: number;
  /** Pairs by kind of fault; one pair may have several. */
  faults: Record<FaultKind, number>;
  /** Pairs beyond the margin with a lower bound of their distance; its error is what it is too high by. */
  leftEarly: number;
  unanswered: {
    /** Pairs that the engine left without an answer although the reference has one. */
    engine: number;
    /** Pairs that the reference has no answer for; the engine is then judged by its bounds. */
    reference: number;
    /** Pairs that neither has an answer for. */
    both: number;
  };
  /** Calls whose status counts are not those of their pairs, and the first of them in words. */
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

/** Takes up a verdict. `makeItem` is called where the pair may be among the worst. */
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
  // Faults come first, then pairs without an answer, then the largest error of any quantity.
  const rank = verdict.faults.length > 0 ? 2 : verdict.isUnanswered ? 1 : 0;
  if (rank === 0 && largest < 0) return;
  keepWorst(tally.worst, { pair, rank, error: largest }, makeItem);
}

/** `words`: what is wrong with the counts of a call; null: nothing. */
export function countMiscount({ miscounts }: Tally<unknown>, words: string | null): void {
  if (words === null) return;
  miscounts.calls++;
  miscounts.first ??= words;
}

/** No fault, no wrong count, and no pair unanswered that the reference has an answer for. */
export function hasPassed({ faulty, unanswered, miscounts }: Tally<unknown>): boolean {
  return faulty === 0 && unanswered.engine === 0 && miscounts.calls === 0;
}
