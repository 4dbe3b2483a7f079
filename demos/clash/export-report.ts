/** The reports of the command line as files to save: the same writers, so the same bytes. */

import { checkBcf, clashBcf, DEFAULT_DATE } from '../../cli/clash/formats/bcf/bcf.ts';
import { clashCsv } from '../../cli/clash/formats/csv.ts';
import { clashJson } from '../../cli/clash/formats/json.ts';
import type { Clash, ClashHeader, ClashReport } from '../../cli/clash/clash-report.ts';
import { inBatches } from '../../cli/report/report.ts';

export const EXPORT_FORMATS = ['json', 'csv', 'bcf'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const TYPES: Record<ExportFormat, string> = {
  json: 'application/json',
  csv: 'text/csv',
  bcf: 'application/octet-stream',
};

/** `up`: the axis of the scene that points up, for viewpoints of BCF. */
export async function exportReport(
  header: ClashHeader,
  clashes: readonly Clash[],
  format: ExportFormat,
  up: 'y' | 'z',
): Promise<Blob> {
  const report: ClashReport = { header, worst: [], clashes: () => inBatches(clashes.length, (i) => clashes[i]) };
  const pieces: BlobPart[] = [];
  for await (const piece of write(report, format, up)) pieces.push(piece as BlobPart);
  return new Blob(pieces, { type: TYPES[format] });
}

function write(report: ClashReport, format: ExportFormat, up: 'y' | 'z'): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'json':
      return clashJson(report);
    case 'csv':
      return clashCsv(report);
    case 'bcf':
      checkBcf(report.header);
      return clashBcf(report, '2.1', { date: new Date(DEFAULT_DATE), up });
  }
}
