/** The command line of the comparison of two builds. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments, someOf, UsageError, wholeNumber, wordList } from '../options.ts';
import { CASES, chooseCases, withPairs, type Case } from './cases.ts';
import { ENGINES, type EngineName } from './protocol.ts';

const DEFAULT_ENGINES = 'dawn-lavapipe,cpu';

export const HELP = `npm run bench:against -- --dist DIR [options]

Compares this build of the package with another, case by case in turns.

  --dist DIR          the dist folder of the other build
  --engines A,B       of ${ENGINES.join(', ')}; default ${DEFAULT_ENGINES}
  --cases A,B         as for npm run bench; host are whole queries; default: all but host
  --pairs N           pairs of a case; default 65536; of host: 1024, 16384, 262144 and 1048576
  --rounds N          times that both builds run; default 9
  --help              this text
`;

export interface AgainstOptions {
  dist: string;
  engines: EngineName[];
  cases: readonly Case[];
  pairs: number;
  rounds: number;
}

/** null: help was asked for. */
export function parseOptions(args: string[]): AgainstOptions | null {
  const values = readArguments(args, ['help'], ['dist', 'engines', 'cases', 'pairs', 'rounds']);
  if (values.help) return null;
  if (values.dist === undefined || !existsSync(join(values.dist, 'node.js')))
    throw new UsageError(`--dist is ${values.dist}, expected the dist folder of another build`);
  const pairs = wholeNumber('--pairs', values.pairs ?? '65536', 64, 2 ** 24);
  const { cases, unknown } = values.cases
    ? chooseCases(wordList('--cases', values.cases))
    : { cases: CASES, unknown: [] };
  if (unknown.length > 0) throw new UsageError(`--cases has ${JSON.stringify(unknown[0])}, which is no case`);
  return {
    dist: resolve(values.dist),
    engines: someOf('--engines', values.engines ?? DEFAULT_ENGINES, ENGINES),
    cases:
      values.pairs === undefined
        ? cases
        : [...cases.filter(({ arrays }) => arrays === 'prepared'), ...withPairs(cases, pairs)],
    pairs,
    rounds: wholeNumber('--rounds', values.rounds ?? '9', 1, 1000),
  };
}
