/** The command line of the benchmark. */

import { parseArgs } from 'node:util';
import { CASES, chooseCases, CURVES, type Case } from './cases.ts';
import { PEERS, type PeerName } from './peers/catalogue.ts';
import { ENGINES, type EngineName } from './protocol.ts';

export const HELP = `npm run bench -- [options]

Times narrowphase on every engine of this machine, and other libraries on the same pairs, and compares their answers.

  --quick             a minute: few cases, pairs and rounds
  --engines A,B       of ${ENGINES.join(', ')}; default: all that are here
  --peers A,B         of ${PEERS.join(', ')}, or none; default: all
  --cases A,B         cases, or workloads (boxes) or workload/query (hull32/contacts), or ${CURVES}; default: all
  --pairs N           pairs of a case; default 262144, with --quick 16384
  --rounds N          times that each subject runs; default 7, with --quick 3
  --seed N            of the workloads; default 1
  --out DIR           where bench.json, bench.md and throughput.svg go; default bench/results, with --quick bench/dist/quick
  --help              this text

Cases: ${CASES.map(({ name }) => name).join(', ')}.
`;

export interface Options {
  quick: boolean;
  engines: EngineName[] | null;
  peers: PeerName[];
  cases: Case[];
  curves: boolean;
  pairs: number;
  rounds: number;
  seed: number;
  out: string;
}

/** A command line that cannot be meant. */
export class UsageError extends Error {}

/** `contacts` of hulls compile longest. */
const QUICK_CASES = ['boxes/intersects/50', 'boxes/contacts/50', 'hull32/distances/50'];

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = read(args);
  if (values.help) return null;
  const quick = values.quick ?? false;
  const wanted =
    values.cases === undefined
      ? quick
        ? [...QUICK_CASES, CURVES]
        : [...CASES.map(({ name }) => name), CURVES]
      : list('--cases', values.cases);
  const { cases, unknown } = chooseCases(wanted);
  if (unknown.length > 0)
    throw new UsageError(`--cases has ${JSON.stringify(unknown[0])}, which is no case; see --help`);
  return {
    quick,
    engines: values.engines === undefined ? null : wordsOf('--engines', values.engines, ENGINES),
    peers:
      values.peers === undefined ? [...PEERS] : values.peers === 'none' ? [] : wordsOf('--peers', values.peers, PEERS),
    cases,
    curves: wanted.includes(CURVES),
    pairs: whole('--pairs', values.pairs ?? (quick ? '16384' : '262144'), 64, 2 ** 24),
    rounds: whole('--rounds', values.rounds ?? (quick ? '3' : '7'), 1, 1000),
    seed: whole('--seed', values.seed ?? '1', 0, 2 ** 31),
    out: values.out ?? (quick ? 'bench/dist/quick' : 'bench/results'),
  };
}

function read(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const options = {
      quick: flag,
      help: flag,
      engines: text,
      peers: text,
      cases: text,
      pairs: text,
      rounds: text,
      seed: text,
      out: text,
    };
    return parseArgs({ args, options }).values;
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
}

function list(option: string, text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes(''))
    throw new UsageError(`${option} is ${JSON.stringify(text)}, expected words with commas between them`);
  return words;
}

function wordsOf<Word extends string>(option: string, text: string, words: readonly Word[]): Word[] {
  const given = list(option, text);
  const unknown = given.find((word) => !(words as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${option} has ${JSON.stringify(unknown)}, expected some of ${words.join(', ')}`);
  return words.filter((word) => given.includes(word));
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}, expected a whole number from ${least} to ${most}`);
}
