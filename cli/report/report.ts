/** A report before formatting: its header, and its contacts, which a format can iterate repeatedly. */

import { allowanceAt, contactAt, contactLine, keepClosest, rankOf } from './contacts.ts';
import type { Hits, ReportContact } from './contacts.ts';
import { countAllowed, namedCounts, NONE_ALLOWED, STATUS_NAMES } from './report-header.ts';
import type { AllowedCounts, ReportHeader, NamedCounts } from './report-header.ts';

/** Batches of contacts, from memory or from files. No batch is empty. */
export type Batches<Item> = Iterable<Item[]> | AsyncIterable<Item[]>;

export interface Report {
  header: ReportHeader;
  /** Statuses of the contacts; `header.statusCounts` has those of all pairs. */
  listed: NamedCounts;
  /** The deepest or closest contacts, as many as the table has rows. */
  closest: ReportContact[];
  /** The contacts, each as JSON. */
  lines(): Batches<string>;
  contacts(): Batches<ReportContact>;
}

const BATCH = 512;

/** Number of allowed contacts; undefined if nothing is allowed. */
export function countAllowedHits(hits: Hits): AllowedCounts | undefined {
  if (!hits.rules) return undefined;
  const counts = { ...NONE_ALLOWED };
  for (let slot = 0; slot < hits.answer.count; slot++) {
    const allowance = allowanceAt(hits, slot);
    if (allowance) countAllowed(counts, allowance, STATUS_NAMES[hits.answer.status[slot]]);
  }
  return counts;
}

/** The report of an engine's answer. `rows`: of the table. */
export function reportOf(header: ReportHeader, hits: Hits, rows: number): Report {
  const { answer } = hits;
  const { count, distance, status } = answer;
  const listed = [0, 0, 0, 0, 0];
  const closest = keepClosest<number>(rows, (slot) => rankOf(distance?.[slot], allowanceAt(hits, slot)));
  for (let slot = 0; slot < count; slot++) {
    listed[status[slot]]++;
    closest.add(slot);
  }
  return {
    header,
    listed: namedCounts(listed),
    closest: closest.items().map((slot) => contactAt(hits, slot)),
    lines: () => inBatches(count, (slot) => contactLine(hits, slot)),
    contacts: () => inBatches(count, (slot) => contactAt(hits, slot)),
  };
}

/** Batches of `count` items, which are made when they are asked for. */
export function* inBatches<Item>(count: number, make: (slot: number) => Item): Generator<Item[]> {
  for (let start = 0; start < count; start += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => make(start + i));
  }
}
