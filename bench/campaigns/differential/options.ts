/** The command line of the differential tests. */

import { parseArgs } from 'node:util';
import { PEERS, type PeerName } from './peer.ts';

export const QUERIES = ['contacts', 'impacts'] as const;
export type QueryName = (typeof QUERIES)[number];

export const HELP = `npm run differential -- [options]

Compares overlap, gaps and depths with those of other libraries on seeded pairs, and times of impact with those of \
Rapier; the brute-force oracle decides
where they differ.

  --queries A,B    of ${QUERIES.join(', ')}; default: both
  --pairs N        pairs of each two types of shape; default 100000
  --moving N       of each two in motion; default 20000
  --seed N         of the pairs; default 1
  --peers A,B      of ${PEERS.join(', ')}, for contacts; impacts have Rapier alone; default: all
  --out FILE       where the report on contacts goes; default bench/results/differential.md
  --impacts FILE   where the one on impacts goes; default bench/results/differential-impacts.md
  --fixtures FILE  where a few pairs of every cause of disagreement are kept; default bench/campaigns/differential/fixtures.json
  --help           this text

Exits with 1 if narrowphase is wrong anywhere.
`;

export interface Options {
  queries: QueryName[];
  pairs: number;
  moving: number;
  seed: number;
  peers: PeerName[];
  out: string;
  impacts: string;
  fixtures: string;
}

/** A command line that cannot be meant. */
export class UsageError extends Error {}

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = read(args);
  if (values.help) return null;
  return {
    queries: some('--queries', values.queries, QUERIES),
    pairs: whole('--pairs', values.pairs ?? '100000', 1, 2 ** 24),
    moving: whole('--moving', values.moving ?? '20000', 1, 2 ** 24),
    seed: whole('--seed', values.seed ?? '1', 0, 2 ** 31),
    peers: some('--peers', values.peers, PEERS),
    out: values.out ?? 'bench/results/differential.md',
    impacts: values.impacts ?? 'bench/results/differential-impacts.md',
    fixtures: values.fixtures ?? 'bench/campaigns/differential/fixtures.json',
  };
}

function read(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args,
      options: {
        queries: text,
        pairs: text,
        moving: text,
        seed: text,
        peers: text,
        out: text,
        impacts: text,
        fixtures: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
}

/** All, where none are named. */
function some<Name extends string>(option: string, text: string | undefined, names: readonly Name[]): Name[] {
  if (text === undefined) return [...names];
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !(names as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${option} has ${JSON.stringify(unknown)}, expected some of ${names.join(', ')}`);
  return names.filter((name) => words.includes(name));
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}, expected a whole number from ${least} to ${most}`);
}
