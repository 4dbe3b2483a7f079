/** Writes a clash report in the formats and files that the options of `clash` and `merge` name; gives the exit code. */

import { wholeNumber } from '../arguments.ts';
import { ExitCode } from '../exit.ts';
import { FORMAT_OPTIONS, readOutputs, writeOutputs, type Outputs } from '../outputs.ts';
import { jsonList } from '../report/json.ts';
import type { Batches } from '../report/report.ts';
import type { RunTimings } from '../report/table-parts.ts';
import { terminalWidth } from '../terminal-text.ts';
import { notice } from '../write-output.ts';
import type { Clash, ClashReport } from './clash-report.ts';
import { clashCsv } from './formats/csv.ts';
import { clashJunit } from './formats/junit.ts';
import { checkText, clashTable } from './formats/table.ts';

const FORMATS = ['json', 'csv', 'junit'] as const;
export type ClashFormat = (typeof FORMATS)[number];

/** For `parseCommand`. */
export const CLASH_OUTPUT_OPTIONS = {
  ...FORMAT_OPTIONS,
  limit: { type: 'string' },
} as const;

export interface ClashOutputOptions {
  outputs: Outputs<ClashFormat>;
  /** Greatest number of clashes in the table. */
  limit: number;
}

export function readClashOutputOptions(values: { format: string; out?: string[]; limit?: string }): ClashOutputOptions {
  return {
    outputs: readOutputs(values, FORMATS, formatOf),
    limit: wholeNumber('--limit', values.limit ?? '10'),
  };
}

export async function writeClashes(
  report: ClashReport,
  { outputs }: ClashOutputOptions,
  timings?: RunTimings,
): Promise<ExitCode> {
  await writeOutputs(outputs, {
    table: () => clashTable(report, terminalWidth(), timings),
    formats: {
      json: () => jsonList(report.header, 'clashes', linesOf(report.clashes())),
      csv: () => clashCsv(report),
      junit: () => clashJunit(report),
    },
  });
  const { check } = report.header;
  if (check.passed) return ExitCode.Done;
  notice(`check failed: ${checkText(check)}`);
  return ExitCode.CheckFailed;
}

async function* linesOf(clashes: Batches<Clash>): AsyncGenerator<string[]> {
  for await (const batch of clashes) yield batch.map((clash) => JSON.stringify(clash));
}

/** The format that the ending of a file's name stands for. */
function formatOf(file: string): ClashFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.xml$/i.test(file) ? 'junit' : 'json';
}
