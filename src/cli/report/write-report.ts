/** Writes a report in the format and to the file that the options of `run` and `merge` name; gives the exit code. */

import { oneOf, wholeNumber } from '../arguments.ts';
import { ExitCode } from '../exit.ts';
import { notice, print, writeOutput } from '../write-output.ts';
import { terminalWidth } from '../terminal-text.ts';
import { csvReport } from './csv.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import type { Report } from './report.ts';
import { checkText, reportTable } from './table.ts';
import type { RunTimings } from './table.ts';

const FORMATS = ['table', 'json', 'csv', 'junit'] as const;
type Format = (typeof FORMATS)[number];

/** For `parseCommand`. */
export const OUTPUT_OPTIONS = {
  format: { type: 'string', default: 'table' },
  limit: { type: 'string', default: '10' },
  out: { type: 'string' },
  'fail-on-overlap': { type: 'boolean', default: false },
} as const;

export interface OutputOptions {
  format: Format;
  /** Greatest number of contacts in the table. */
  limit: number;
  out?: string;
  failOnOverlap: boolean;
}

export function readOutputOptions(values: {
  format: string;
  limit: string;
  out?: string;
  'fail-on-overlap': boolean;
}): OutputOptions {
  return {
    format: oneOf('--format', values.format, FORMATS),
    limit: wholeNumber('--limit', values.limit),
    out: values.out,
    failOnOverlap: values['fail-on-overlap'],
  };
}

/** Writes the report to `out` if given and prints a table; otherwise prints the report in its format. */
export async function writeReport(
  report: Report,
  { format, out }: OutputOptions,
  timings?: RunTimings,
): Promise<ExitCode> {
  const table = () => [reportTable(report, terminalWidth(), timings)];
  if (out !== undefined) {
    await writeOutput({ option: '--out', file: out }, WRITERS[format === 'table' ? formatOf(out) : format](report));
    await print(table());
  } else {
    await print(format === 'table' ? table() : WRITERS[format](report));
  }
  const { check } = report.header;
  if (check === null || check.passed) return ExitCode.Done;
  notice(`check failed: ${checkText(check)}`);
  return ExitCode.CheckFailed;
}

const WRITERS: Record<Exclude<Format, 'table'>, (report: Report) => AsyncIterable<string>> = {
  json: jsonReport,
  csv: csvReport,
  junit: junitReport,
};

/** The format that the extension of a file names. */
function formatOf(file: string): Exclude<Format, 'table'> {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.xml$/i.test(file) ? 'junit' : 'json';
}
