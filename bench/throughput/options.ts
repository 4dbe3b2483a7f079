/** The command line of the benchmark. */

import { readArguments, someOf, UsageError, wholeNumber, wordList } from '../options.ts';
import { CASES, chooseCases, CURVES, HOST_CASES, withPairs, type Case } from './cases.ts';
import { PEERS, type PeerName } from './peers/catalogue.ts';
import { ENGINES, type EngineName } from './protocol.ts';

export const HELP = `npm run bench -- [options]

Times narrowphase on every engine of this machine, and other libraries on the same pairs, and compares their answers.

  --quick             a minute: few cases, pairs and rounds
  --engines A,B       of ${ENGINES.join(', ')}; default: all that are here
  --peers A,B         of ${PEERS.join(', ')}, or none; default: all
  --cases A,B         cases, or workloads (boxes) or workload/query (hull32/contacts), or ${CURVES}, or host;
                      default: all but host
  --pairs N           pairs of a case; default 262144, with --quick 16384; of host: 1024, 16384, 262144 and 1048576
  --rounds N          times that each subject runs; default 7, with --quick 3
  --seed N            of the workloads; default 1
  --out DIR           where bench.json, bench.md and throughput.svg go, and host.md; default bench/results, with --quick
                      bench/dist/quick
  --help              this text

host times whole queries of boxes from the caller's arrays to result arrays: host/contacts is one of them, at all
numbers of pairs.

Cases: ${[...CASES, ...HOST_CASES].map(({ name }) => name).join(', ')}.
`;

export interface Options {
  quick: boolean;
  engines: EngineName[] | null;
  peers: PeerName[];
  /** But whole queries. */
  cases: Case[];
  /** Whole queries, with their numbers of pairs. */
  hostCases: Case[];
  curves: boolean;
  pairs: number;
  rounds: number;
  seed: number;
  out: string;
}

/** `contacts` of hulls compile longest. */
const QUICK_CASES = ['boxes/intersects/50', 'boxes/contacts/50', 'hull32/distances/50'];

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = readArguments(
    args,
    ['quick', 'help'],
    ['engines', 'peers', 'cases', 'pairs', 'rounds', 'seed', 'out'],
  );
  if (values.help) return null;
  const quick = values.quick ?? false;
  const wanted =
    values.cases === undefined
      ? quick
        ? [...QUICK_CASES, CURVES]
        : [...CASES.map(({ name }) => name), CURVES]
      : wordList('--cases', values.cases);
  const { cases, unknown } = chooseCases(wanted);
  if (unknown.length > 0)
    throw new UsageError(`--cases has ${JSON.stringify(unknown[0])}, which is no case; see --help`);
  const pairs = wholeNumber('--pairs', values.pairs ?? (quick ? '16384' : '262144'), 64, 2 ** 24);
  const whole = cases.filter(({ arrays }) => arrays === 'host');
  return {
    quick,
    engines: values.engines === undefined ? null : someOf('--engines', values.engines, ENGINES),
    peers: values.peers === 'none' ? [] : someOf('--peers', values.peers, PEERS),
    cases: cases.filter(({ arrays }) => arrays === 'prepared'),
    hostCases: values.pairs === undefined ? whole : withPairs(whole, pairs),
    curves: wanted.includes(CURVES),
    pairs,
    rounds: wholeNumber('--rounds', values.rounds ?? (quick ? '3' : '7'), 1, 1000),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, 2 ** 31),
    out: values.out ?? (quick ? 'bench/dist/quick' : 'bench/results'),
  };
}
