/** Writes a clash report in the formats and files that the options of `clash` and `merge` name; gives the exit code. */

import { oneOf, wholeNumber } from '../arguments.ts';
import { ExitCode, usageError } from '../exit.ts';
import { FORMAT_OPTIONS, readOutputs, writeOutputs, type Outputs } from '../outputs.ts';
import type { RunTimings } from '../report/table-parts.ts';
import { terminalWidth } from '../terminal-text.ts';
import { notice } from '../write-output.ts';
import type { ClashReport } from './clash-report.ts';
import { checkBcf, clashBcf, DEFAULT_DATE } from './formats/bcf/bcf.ts';
import { clashCsv } from './formats/csv.ts';
import { checkHtml, clashHtml } from './formats/html/html.ts';
import { clashJson } from './formats/json.ts';
import { clashJunit } from './formats/junit.ts';
import { checkText, clashTable } from './formats/table.ts';

const FORMATS = ['json', 'csv', 'junit', 'bcf', 'bcf3', 'html'] as const;
export type ClashFormat = (typeof FORMATS)[number];

/** Binary formats. */
const BINARY: readonly string[] = ['bcf', 'bcf3'];

/** For `parseCommand`. */
export const CLASH_OUTPUT_OPTIONS = {
  ...FORMAT_OPTIONS,
  limit: { type: 'string' },
  date: { type: 'string' },
  up: { type: 'string' },
} as const;

export interface ClashOutputOptions {
  outputs: Outputs<ClashFormat>;
  /** Greatest number of clashes in the table, and of each category in HTML. */
  rows: number;
  pictures: number;
  /** Of BCF topics. */
  date: Date;
  /** The axis of the scene that points up. */
  up: 'y' | 'z';
}

export function readClashOutputOptions(values: {
  format: string;
  out?: string[];
  limit?: string;
  date?: string;
  up?: string;
}): ClashOutputOptions {
  const limit = values.limit === undefined ? undefined : wholeNumber('--limit', values.limit);
  const outputs = readOutputs(values, FORMATS, formatOf);
  if (BINARY.includes(outputs.format) && outputs.files.length === 0 && process.stdout.isTTY) {
    throw usageError(`--format ${outputs.format} is given for a terminal, expected --out FILE with it`);
  }
  return {
    outputs,
    rows: limit ?? 10,
    pictures: limit ?? 200,
    date: readDate(values.date ?? DEFAULT_DATE),
    up: oneOf('--up', values.up ?? 'z', ['y', 'z']),
  };
}

/** Zip archives have dates of these years. */
const [FIRST_YEAR, LAST_YEAR] = [1980, 2107];

function readDate(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? text : NaN);
  const year = date.getUTCFullYear();
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return date;
  throw usageError(
    `--date is ${JSON.stringify(text)}, expected a date of ${FIRST_YEAR} to ${LAST_YEAR}, as 2026-01-31 or 2026-01-31T18:00:00Z`,
  );
}

export async function writeClashes(
  report: ClashReport,
  { outputs, pictures, date, up }: ClashOutputOptions,
  timings?: RunTimings,
): Promise<ExitCode> {
  const formats: (ClashFormat | 'table')[] = [outputs.format, ...outputs.files.map((file) => file.format)];
  if (formats.includes('html')) checkHtml(report);
  if (formats.includes('bcf') || formats.includes('bcf3')) checkBcf(report.header);
  await writeOutputs(outputs, {
    table: () => clashTable(report, terminalWidth(), timings),
    formats: {
      json: () => clashJson(report),
      csv: () => clashCsv(report),
      junit: () => clashJunit(report),
      bcf: () => clashBcf(report, '2.1', { date, up }),
      bcf3: () => clashBcf(report, '3.0', { date, up }),
      html: () => clashHtml(report, { limit: pictures, up }),
    },
  });
  const { check } = report.header;
  if (check.passed) return ExitCode.Done;
  notice(`check failed: ${checkText(check)}`);
  return ExitCode.CheckFailed;
}

const ENDINGS: [RegExp, ClashFormat][] = [
  [/\.csv$/i, 'csv'],
  [/\.xml$/i, 'junit'],
  [/\.(?:bcf|bcfzip)$/i, 'bcf'],
  [/\.html?$/i, 'html'],
];

/** The format that the ending of a file's name stands for. */
function formatOf(file: string): ClashFormat {
  return ENDINGS.find(([ending]) => ending.test(file))?.[1] ?? 'json';
}
