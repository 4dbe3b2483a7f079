/** The stored reports, which are published beside the page. */

import type { StoredReport, StoredReports } from '../../scripts/gpu-reports-plugin.ts';

export type { StoredReport, StoredReports };

export async function loadStored(): Promise<StoredReports> {
  const response = await fetch('reports.json');
  if (!response.ok) throw new Error(`The server answers ${response.status}`);
  return (await response.json()) as StoredReports;
}

/** The stored rate at the nearest number of pairs; undefined: the report lacks the case. */
export function storedRate(
  report: StoredReport,
  name: string,
  pairs: number,
): { pairs: number; rate: number } | undefined {
  const apart = (point: readonly number[]): number => Math.abs(Math.log2(point[0] / pairs));
  const nearest = [...(report.rates[name] ?? [])].sort((p, q) => apart(p) - apart(q))[0];
  return nearest && { pairs: nearest[0], rate: nearest[1] };
}
