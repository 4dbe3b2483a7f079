/** Counts of statuses and hits. */
import { INFO_HIT, INFO_STATUS_MASK } from '../generated/constants.ts';
import type { RecordSize } from './layout.ts';

/** Counts over all pairs of a query. */
export interface Totals {
  statusCounts: number[];
  hits: number;
}

export function noTotals(): Totals {
  return { statusCounts: [0, 0, 0, 0, 0], hits: 0 };
}

/** Adds the counts of some pairs. */
export function addTotals(totals: Totals, statusCounts: readonly number[], hits: number): void {
  for (let status = 0; status < statusCounts.length; status++) totals.statusCounts[status] += statusCounts[status];
  totals.hits += hits;
}

/** The counts of consecutive records. */
export function countRecords(bytes: Uint8Array<ArrayBuffer>, recordCount: number, { words, info }: RecordSize): Totals {
  const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, words * recordCount);
  const totals = noTotals();
  for (let at = info; at < integers.length; at += words) {
    totals.statusCounts[integers[at] & INFO_STATUS_MASK]++;
    if (integers[at] & INFO_HIT) totals.hits++;
  }
  return totals;
}
