/** The command line of `npm run motion`. */

import { readArguments, someOf, UsageError, wholeNumber, wordList } from '../../options.ts';
import { ENGINE_NAMES, type OpenEngineName } from './engines.ts';
import { TYPE_PAIRS, TYPES, type TypePair } from './pairs.ts';

/** Largest value of an option. */
const MOST = 2 ** 31;

const DEFAULT_ENGINES = 'reference,cpu,dawn,chrome';

export const HELP = `npm run motion -- [options]

Judges times of impact on every pair of shape types, in double precision and never by \`impacts\` itself.

  --pairs N       straight motions of each pair of types; default 200000
  --turning N     motions with turns of each pair of types; default 50000
  --engines A,B   of ${ENGINE_NAMES.join(', ')}; default ${DEFAULT_ENGINES}
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

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = readArguments(args, ['help'], ['pairs', 'turning', 'engines', 'types', 'seed', 'out']);
  if (values.help) return null;
  return {
    pairs: wholeNumber('--pairs', values.pairs ?? '200000', 0, MOST),
    turning: wholeNumber('--turning', values.turning ?? '50000', 0, MOST),
    engines: someOf('--engines', values.engines ?? DEFAULT_ENGINES, ENGINE_NAMES),
    types: values.types === undefined ? [...TYPE_PAIRS] : typesOf(wordList('--types', values.types)),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, MOST),
    out: values.out,
  };
}

function typesOf(words: string[]): TypePair[] {
  const names = TYPE_PAIRS.flatMap(([a, b]) => [`${a}/${b}`, `${b}/${a}`]);
  const known: readonly string[] = [...TYPES, ...names];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new UsageError(`--types has ${JSON.stringify(unknown)}; see --help`);
  const chosen = TYPE_PAIRS.filter(
    ([a, b]) => (words.includes(a) && words.includes(b)) || words.includes(`${a}/${b}`) || words.includes(`${b}/${a}`),
  );
  if (chosen.length === 0) throw new UsageError(`--types is ${JSON.stringify(words.join(','))}, which makes no pair`);
  return chosen;
}
