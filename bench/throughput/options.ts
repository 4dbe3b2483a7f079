/** The command line of the benchmark. */

import { FRAME_SCENES, type FrameSceneName } from '../frame/scenes.ts';
import { readArguments, someOf, UsageError, wholeNumber, wordList } from '../options.ts';
import { CASES, chooseCases, CURVES, HOST_CASES, withPairs, type Case } from './cases.ts';
import { PEERS, type PeerName } from './peers/catalogue.ts';
import { ENGINES, type EngineName } from './protocol.ts';

export const HELP = `npm run bench -- [options]

Times narrowphase on every engine of this machine, and other libraries on the same pairs, and compares their answers.

  --quick             a minute: few cases, pairs and rounds
  --engines A,B       of ${ENGINES.join(', ')}; default: all that are here
  --peers A,B         of ${PEERS.join(', ')}, or none; default: all
  --cases A,B         cases, or workloads (boxes) or workload/query (hull32/contacts), or ${CURVES}, or host, or frame;
                      default: all but host and frame
  --pairs N           pairs of a case; default 262144, with --quick 16384; of host: 1024, 16384, 262144 and 1048576
  --bodies A,B        bodies of frames; default 1000 to 1000000, of rings 110000 and 506000
  --rounds N          times that each subject runs; default 7, with --quick 3
  --seed N            of the workloads; default 1
  --out DIR           where bench.json, bench.md and throughput.svg go, and host.md and frame.md;
                      default bench/results, with --quick bench/dist/quick
  --help              this text

host times whole queries of boxes from the caller's arrays to result arrays: host/contacts is one of them, at all
numbers of pairs.

frame times frames on the GPU in Node: bodies move, a batch finds their pairs and answers them. frame/heap, frame/mixed
and frame/ring are its scenes. Rapier's collision detection runs beside it.

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
  /** Scenes of frames. */
  frameScenes: FrameSceneName[];
  /** Bodies of frames; null: those of each scene. */
  bodies: number[] | null;
  curves: boolean;
  pairs: number;
  rounds: number;
  seed: number;
  out: string;
}

/** The name of the frames among the cases. */
const FRAME = 'frame';

function isFrame(name: string): boolean {
  return name === FRAME || FRAME_SCENES.some((scene) => name === `${FRAME}/${scene}`);
}

/** `contacts` of hulls compile longest. */
const QUICK_CASES = ['boxes/intersects/50', 'boxes/contacts/50', 'hull32/distances/50'];

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = readArguments(
    args,
    ['quick', 'help'],
    ['engines', 'peers', 'cases', 'pairs', 'bodies', 'rounds', 'seed', 'out'],
  );
  if (values.help) return null;
  const quick = values.quick ?? false;
  const wanted =
    values.cases === undefined
      ? quick
        ? [...QUICK_CASES, CURVES]
        : [...CASES.map(({ name }) => name), CURVES]
      : wordList('--cases', values.cases);
  const frameScenes = FRAME_SCENES.filter((scene) => wanted.includes(FRAME) || wanted.includes(`${FRAME}/${scene}`));
  const { cases, unknown } = chooseCases(wanted.filter((name) => !isFrame(name)));
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
    frameScenes,
    bodies:
      values.bodies === undefined
        ? null
        : wordList('--bodies', values.bodies).map((word) => wholeNumber('--bodies', word, 16, 2 ** 23)),
    curves: wanted.includes(CURVES),
    pairs,
    rounds: wholeNumber('--rounds', values.rounds ?? (quick ? '3' : '7'), 1, 1000),
    seed: wholeNumber('--seed', values.seed ?? '1', 0, 2 ** 31),
    out: values.out ?? (quick ? 'bench/dist/quick' : 'bench/results'),
  };
}
