/**
 * Parses the command line. Every function throws a usage error that names the option, its value and what was expected.
 */

import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { alternatives, nearestName } from '../src/util/known.ts';
import { errorText, usageError } from './exit.ts';

/** Node's `parseArgs`, with positionals allowed and its errors turned into usage errors. */
export function parseCommand<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({ args: joinNegative(args, options), allowPositionals: true, options });
  } catch (error) {
    // The first sentence names the error. `parseArgs` appends advice.
    const text = errorText(error);
    const unknown = /^Unknown option '--([^']+)'/.exec(text)?.[1];
    const nearest = unknown === undefined ? undefined : nearestName(unknown, Object.keys(options));
    if (nearest !== undefined) throw usageError(`Unknown option '--${unknown}'; did you mean '--${nearest}'?`);
    const example = /--\S+=-/.exec(text);
    const expected = example ? `, expected ${example[0]}... for a value that begins with a dash` : '';
    throw usageError(`${text.split(/\.(?:\s|$)/)[0]}${expected}`);
  }
}

/**
 * Turns `--margin -1`, which `parseArgs` rejects, into `--margin=-1`. The option's own check then gives a better
 * message.
 */
function joinNegative(args: string[], options: NonNullable<ParseArgsConfig['options']>): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const takesNegative = (i: number): boolean => {
    const name = /^--(.*)/.exec(args[i] ?? '')?.[1] ?? '';
    const takesValue = Object.hasOwn(options, name) && options[name].type === 'string';
    return takesValue && i + 1 < end && /^-(?:\.?\d|Infinity)/.test(args[i + 1]);
  };
  return args.flatMap((arg, i) => (takesNegative(i) ? `${arg}=${args[i + 1]}` : takesNegative(i - 1) ? [] : arg));
}

export function oneOf<Word extends string>(option: string, value: string, words: readonly Word[]): Word {
  if ((words as readonly string[]).includes(value)) return value as Word;
  throw usageError(`${option} is ${JSON.stringify(value)}, expected ${alternatives(words)}`);
}

/** A number of at least 0 within the range of f32. */
export function finiteNumber(option: string, text: string): number {
  return checkedNumber(option, text, (value) => Number.isFinite(Math.fround(value)), 'a finite number of at least 0');
}

/** A whole number of at least `least`. */
export function wholeNumber(option: string, text: string, least = 0): number {
  return checkedNumber(
    option,
    text,
    (value) => Number.isSafeInteger(value) && value >= least,
    `a whole number of at least ${least}`,
  );
}

function checkedNumber(option: string, text: string, isValid: (value: number) => boolean, expected: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (isValid(value) && value >= 0) return value;
  throw usageError(`${option} is ${JSON.stringify(text)}, expected ${expected}`);
}

/** Milliseconds of `--timeout`, which is in seconds. At most a day, the longest that any timer here is set to. */
export function timeoutMs(text: string): number {
  const seconds = checkedNumber(
    '--timeout',
    text,
    (value) => value > 0 && value <= 86_400,
    'a number of seconds above 0, at most 86400',
  );
  return 1000 * seconds;
}

export const DEFAULT_TIMEOUT = '120';
