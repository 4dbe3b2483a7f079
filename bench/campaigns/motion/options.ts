/** The command line of `npm run motion`. */

import { parseArgs } from 'node:util';
import { ENGINE_NAMES, type OpenEngineName } from './engines.ts';
import { TYPE_PAIRS, TYPES, type TypePair } from './pairs.ts';

export const HELP = `npm run motion -- [options]

Judges times of impact on every pair of shape types, in double precision and never by \`impacts\` itself.

  --pairs N       straight motions of each pair of types; default 200000
  --turning N     motions with turns of each pair of types; default 50000
  --engines A,B   of ${ENGINE_NAMES.join(', ')}; default reference,cpu,dawn,chrome
  --types A,B     of ${TYPES.join(', ')}: every pair of these; or pairs such as box/hull; default: all
  --seed N        default 1
  --out FILE      where the tables go; default standard output
  --help          this text
`;

export interface Options {
  pairs: number;
  turning: number;
  engines: OpenEngineName[];
  types: TypePair[];
  seed: number;
  out?: string;
}

/** A command line that cannot be meant. */
export class UsageError extends Error {}

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = read(args);
  if (values.help) return null;
  return {
    pairs: whole('--pairs', values.pairs),
    turning: whole('--turning', values.turning),
    engines: enginesOf(list(values.engines)),
    types: values.types === undefined ? [...TYPE_PAIRS] : typesOf(list(values.types)),
    seed: whole('--seed', values.seed),
    out: values.out,
  };
}

function read(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        pairs: { ...text, default: '200000' },
        turning: { ...text, default: '50000' },
        engines: { ...text, default: 'reference,cpu,dawn,chrome' },
        types: text,
        seed: { ...text, default: '1' },
        out: text,
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
}

function list(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

function enginesOf(words: string[]): OpenEngineName[] {
  expectAll('--engines', words, ENGINE_NAMES);
  return ENGINE_NAMES.filter((name) => words.includes(name));
}

function typesOf(words: string[]): TypePair[] {
  const names = TYPE_PAIRS.flatMap(([a, b]) => [`${a}/${b}`, `${b}/${a}`]);
  expectAll('--types', words, [...TYPES, ...names]);
  const chosen = TYPE_PAIRS.filter(
    ([a, b]) => (words.includes(a) && words.includes(b)) || words.includes(`${a}/${b}`) || words.includes(`${b}/${a}`),
  );
  if (chosen.length === 0) throw new UsageError(`--types is ${JSON.stringify(words.join(','))}, which makes no pair`);
  return chosen;
}

function expectAll(option: string, words: string[], known: readonly string[]): void {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new UsageError(`${option} has ${JSON.stringify(unknown)}; see --help`);
}

function whole(option: string, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value <= 2 ** 31) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}, expected a whole number of at most ${2 ** 31}`);
}
