/** The command line of the differential tests. */

import { readArguments, someOf, wholeNumber } from '../../options.ts';
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
  --fixtures FILE  where a few pairs of every cause of disagreement are kept; default verification/fixtures/differential.json
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

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = readArguments(
    args,
    ['help'],
    ['queries', 'pairs', 'moving', 'seed', 'peers', 'out', 'impacts', 'fixtures'],
  );
  if (values.help) return null;
  return {
    queries: someOf('--queries', values.queries, QUERIES),
    pairs: wholeNumber('--pairs', values.pairs ?? '100000', 1, 2 ** 24),
    moving: wholeNumber('--moving', values.moving ?? '20000', 1, 2 ** 24),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, 2 ** 31),
    peers: someOf('--peers', values.peers, PEERS),
    out: values.out ?? 'bench/results/differential.md',
    impacts: values.impacts ?? 'bench/results/differential-impacts.md',
    fixtures: values.fixtures ?? 'verification/fixtures/differential.json',
  };
}
