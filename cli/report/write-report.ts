/** Writes a report in the formats and files that the options of `run` and `merge` name; gives the exit code. */

import { wholeNumber } from '../arguments.ts';
import { ExitCode } from '../exit.ts';
import { FORMAT_OPTIONS, readOutputs, writeOutputs, type Outputs } from '../outputs.ts';
import { notice } from '../write-output.ts';
import { terminalWidth } from '../terminal-text.ts';
import { csvReport } from './csv.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import type { Report } from './report.ts';
import { checkText, reportTable } from './table.ts';
import type { RunTimings } from './table-parts.ts';

const FORMATS = ['json', 'csv', 'junit'] as const;
type Format = (typeof FORMATS)[number];

/** For `parseCommand`. */
export const OUTPUT_OPTIONS = {
  ...FORMAT_OPTIONS,
  limit: { type: 'string', default: '10' },
  'fail-on-overlap': { type: 'boolean', default: false },
} as const;

export interface OutputOptions {
  outputs: Outputs<Format>;
  /** Greatest number of contacts in the table. */
  limit: number;
  failOnOverlap: boolean;
}

export function readOutputOptions(values: {
  format: string;
  limit: string;
  out?: string[];
  'fail-on-overlap': boolean;
}): OutputOptions {
  return {
    outputs: readOutputs(values, FORMATS, formatOf),
    limit: wholeNumber('--limit', values.limit),
    failOnOverlap: values['fail-on-overlap'],
  };
}

export async function writeReport(
  report: Report,
  { outputs }: Pick<OutputOptions, 'outputs'>,
  timings?: RunTimings,
): Promise<ExitCode> {
  await writeOutputs(outputs, {
    table: () => reportTable(report, terminalWidth(), timings),
    formats: { json: () => jsonReport(report), csv: () => csvReport(report), junit: () => junitReport(report) },
  });
  const { check } = report.header;
  if (check === null || check.passed) return ExitCode.Done;
  notice(`check failed: ${checkText(check)}`);
  return ExitCode.CheckFailed;
}

/** The format that the ending of a file's name stands for. */
function formatOf(file: string): Format {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.xml$/i.test(file) ? 'junit' : 'json';
}
