/** What the command lines of the benchmarks and campaigns share. */

import { parseArgs } from 'node:util';

/** A command line that cannot be meant. */
export class UsageError extends Error {}

type Values<Flag extends string, Text extends string> = { [name in Flag]?: boolean } & { [name in Text]?: string };

/** The values of flags and of options with a text. Throws `UsageError` for anything else. */
export function readArguments<Flag extends string, Text extends string>(
  args: string[],
  flags: readonly Flag[],
  texts: readonly Text[],
): Values<Flag, Text> {
  const options = Object.fromEntries([
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
    ...texts.map((name) => [name, { type: 'string' }] as const),
  ]);
  try {
    return parseArgs({ args, options }).values as Values<Flag, Text>;
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
}

export function wordList(option: string, text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes(''))
    throw new UsageError(`${option} is ${JSON.stringify(text)}, expected words with commas between them`);
  return words;
}

/** The words that are given, in the order of `words`; all of them if `text` is undefined. */
export function someOf<Word extends string>(option: string, text: string | undefined, words: readonly Word[]): Word[] {
  if (text === undefined) return [...words];
  const given = wordList(option, text);
  const unknown = given.find((word) => !(words as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${option} has ${JSON.stringify(unknown)}, expected some of ${words.join(', ')}`);
  return words.filter((word) => given.includes(word));
}

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}, expected a whole number from ${least} to ${most}`);
}

/** What `parse` makes of this process's arguments. Exits with 0 after printing `help`, with 2 for a `UsageError`. */
export function optionsOrExit<Options>(
  program: string,
  help: string,
  parse: (args: string[]) => Options | null,
): Options {
  try {
    const options = parse(process.argv.slice(2));
    if (options !== null) return options;
    console.log(help);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${program}: ${error.message}`);
    process.exit(2);
  }
}

/** The command line of this process, as a report quotes it. */
export function commandLine(script: string): string {
  return [script, ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ');
}
