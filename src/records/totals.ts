/** Counts of statuses and hits. */

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
