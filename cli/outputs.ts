/** The options `--format` and `--out`, which all commands with reports in several formats share. */

import { oneOf } from './arguments.ts';
import { usageError } from './exit.ts';
import { checkOutput, printParts, writeOutput, type Parts } from './write-output.ts';

/** For `parseCommand`. */
export const FORMAT_OPTIONS = {
  format: { type: 'string', default: 'table' },
  out: { type: 'string', multiple: true },
} as const;

export interface Outputs<Format extends string> {
  format: Format | 'table';
  /** Files, each in a format. If there are any, the table is printed. */
  files: { file: string; format: Format }[];
}

/** A report in every format. Text or bytes are generated while they are written. */
export interface Writers<Format extends string> {
  table: () => string;
  formats: Record<Format, () => Parts>;
}

/** `formatOf` gives the format that the ending of a file's name stands for. */
export function readOutputs<Format extends string>(
  { format, out = [] }: { format: string; out?: string[] },
  formats: readonly Format[],
  formatOf: (file: string) => Format,
): Outputs<Format> {
  const given = oneOf('--format', format, ['table' as const, ...formats]);
  if (given !== 'table' && out.length > 1) {
    throw usageError(
      `--format ${given} is given with ${out.length} files, expected files whose endings name the formats`,
    );
  }
  out.forEach((file, i) => {
    if (out.indexOf(file) < i) throw usageError(`--out ${file} is given twice, expected once`);
  });
  return { format: given, files: out.map((file) => ({ file, format: given === 'table' ? formatOf(file) : given })) };
}

/** Checks all files before any work is done. `noun` names an input in errors. */
export async function checkOutputs(
  { files }: Outputs<string>,
  inputs: readonly string[],
  noun = 'the scene',
): Promise<void> {
  for (const { file } of files) await checkOutput({ option: '--out', file }, inputs, noun);
}

/** Writes the files and prints the table; without files, prints the report in its format. */
export async function writeOutputs<Format extends string>(
  { format, files }: Outputs<Format>,
  writers: Writers<Format>,
): Promise<void> {
  for (const each of files) await writeOutput({ option: '--out', file: each.file }, writers.formats[each.format]());
  await printParts(files.length > 0 || format === 'table' ? [writers.table()] : writers.formats[format]());
}
