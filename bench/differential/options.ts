/** The command line of the differential tests. */

import { parseArgs } from 'node:util';
import { PEERS, type PeerName } from './peer.ts';

export const HELP = `npm run differential -- [options]

Compares overlap, gaps and depths with those of other libraries on seeded pairs; the brute-force oracle decides where they differ.

  --pairs N        pairs of each two types of shape; default 100000
  --seed N         of the pairs; default 1
  --peers A,B      of ${PEERS.join(', ')}; default: all
  --out FILE       where the report goes; default bench/results/differential.md
  --fixtures FILE  where a few pairs of every cause of disagreement are kept; default test/fixtures/differential.json
  --help           this text

Exits with 1 if narrowphase is wrong anywhere.
`;

export interface Options {
  pairs: number;
  seed: number;
  peers: PeerName[];
  out: string;
  fixtures: string;
}

/** A command line that cannot be meant. */
export class UsageError extends Error {}

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = read(args);
  if (values.help) return null;
  const peers = (values.peers ?? PEERS.join()).split(',').map((word) => word.trim());
  const unknown = peers.find((name) => !(PEERS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new UsageError(`--peers has ${JSON.stringify(unknown)}, expected some of ${PEERS.join(', ')}`);
  return {
    pairs: whole('--pairs', values.pairs ?? '100000', 1, 2 ** 24),
    seed: whole('--seed', values.seed ?? '1', 0, 2 ** 31),
    peers: PEERS.filter((name) => peers.includes(name)),
    out: values.out ?? 'bench/results/differential.md',
    fixtures: values.fixtures ?? 'test/fixtures/differential.json',
  };
}

function read(args: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({ args, options: { pairs: text, seed: text, peers: text, out: text, fixtures: text, help: flag } }).values;
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw new UsageError((error as Error).message.split(/\.(?:\s|$)/)[0]);
  }
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}, expected a whole number from ${least} to ${most}`);
}
