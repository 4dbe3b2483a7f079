/** The command line. */

import { readArguments, UsageError, wholeNumber } from '../options.ts';
import { CASES, chooseCases, type GpuCase } from '../../verification/gpu-cases/cases.ts';

/** The name of the whole queries among the cases. */
export const HOST = 'host';

/** The name of the frames among the cases. */
export const FRAME = 'frame';

/** Pairs of whole queries, at most. */
const MOST_HOST_PAIRS = 2 ** 20;

export const HELP = `node bench-gpu.mjs [options]

Times narrowphase's kernels on this machine's GPU, inputs resident, and holds them against what the GPU could do at best.

  --stages          where the time goes: every kernel and list step of each case, at one size
  --quick           a minute: few cases, small sizes
  --workloads A,B   cases, or their first parts (boxes, hull32/contacts), or ${HOST} or ${FRAME};
                    default: all
  --sizes A,B       pairs, as 4096, 64k, 4M; default 1k to 16M in powers of 4; of --stages the largest, default 4M,
                    on software adapters 256k; of ${FRAME} the bodies, default 1000 to 1000000
  --rounds N        samples of each measurement; default 9
  --time SECONDS    what does not fit is left out, least important first; default 900, with --quick 45
  --driver FILE     Vulkan driver manifest (*_icd.json) to use; default: those of the system, graphics cards first
  --as-hardware     runs the kernels of graphics cards on a software adapter, to compare them and to count them
  --counts yes|no   counts instructions, for limits, by kernels that count their own; default yes, on software
                    adapters no, where compiling such kernels takes minutes
  --seed N          of the workloads; default 1
  --out DIR         where gpu-ADAPTER.json and .md go, of --stages stages-ADAPTER.json and .md, of ${FRAME}
                    frame-ADAPTER.json and .md; default bench/results, with --quick dist-bench/quick
  --help            this text

${HOST}: whole queries of boxes from the caller's arrays, batch.write and batch.read, at the largest size up to 1M.
${FRAME}: bodies move, a batch finds their pairs and answers them.

Needs Node and the package webgpu. Exits with 0; 1 if an answer was wrong or a case failed; 2 for a bad command line; 3 without a GPU.

Cases: ${CASES.map(({ name }) => name).join(', ')}.
`;

export interface Options {
  /** Whether sizes were given. */
  hasSizes: boolean;
  quick: boolean;
  /** Measures stages in place of everything else. */
  stages: boolean;
  /** null: by the adapter. */
  counts: boolean | null;
  cases: readonly GpuCase[];
  /** Pairs of whole queries; null: they are not measured. */
  hostPairs: number | null;
  /** Whether frames are measured. */
  hasFrames: boolean;
  /** Pairs, ascending. */
  sizes: readonly number[];
  rounds: number;
  seconds: number;
  driver: string | undefined;
  /** Whether the adapter passes for a graphics card. */
  asHardware: boolean;
  seed: number;
  out: string;
}

const QUICK_CASES = [
  'boxes/intersects',
  'boxes/contacts/sat',
  'boxes/distances',
  'hull32/distances',
  'boxes/contacts/gjk',
];
const QUICK_SIZES = '1k,16k,64k';
const SIZES = '1k,4k,16k,64k,256k,1M,4M,16M';

/** null: help was asked for. */
export function parseOptions(args: string[]): Options | null {
  const values = readArguments(
    args,
    ['quick', 'stages', 'as-hardware', 'help'],
    ['workloads', 'sizes', 'rounds', 'time', 'driver', 'counts', 'seed', 'out'],
  );
  if (values.help) return null;
  const quick = values.quick ?? false;
  const wanted = values.workloads?.split(',') ?? [...(quick ? QUICK_CASES : []), HOST, ...(quick ? [] : [FRAME])];
  const { cases: named, unknown } = chooseCases(wanted.filter((name) => ![HOST, FRAME].includes(name)));
  const cases = values.workloads === undefined && !quick ? CASES : named;
  if (unknown.length > 0)
    throw new UsageError(`--workloads has ${JSON.stringify(unknown[0])}, which is no case; see --help`);
  const sizes = [...new Set((values.sizes ?? (quick ? QUICK_SIZES : SIZES)).split(',').map(sizeOf))].sort(
    (a, b) => a - b,
  );
  return {
    hasSizes: values.sizes !== undefined,
    quick,
    stages: values.stages ?? false,
    counts: countsOf(values.counts),
    cases,
    hostPairs: wanted.includes(HOST) ? (sizes.filter((size) => size <= MOST_HOST_PAIRS).at(-1) ?? sizes[0]) : null,
    hasFrames: wanted.includes(FRAME),
    sizes,
    rounds: wholeNumber('--rounds', values.rounds ?? '9', 3, 1000),
    seconds: wholeNumber('--time', values.time ?? (quick ? '45' : '900'), 1, 86_400),
    driver: values.driver,
    asHardware: values['as-hardware'] ?? false,
    seed: wholeNumber('--seed', values.seed ?? '1', 0, 2 ** 31),
    out: values.out ?? (quick ? 'dist-bench/quick' : 'bench/results'),
  };
}

function countsOf(text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new UsageError(`--counts is ${JSON.stringify(text)}, expected yes or no`);
}

function sizeOf(text: string): number {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  const size = Number(digits) * { '': 1, k: 2 ** 10, M: 2 ** 20 }[unit as '' | 'k' | 'M'];
  if (size >= 64 && size <= 2 ** 26) return size;
  throw new UsageError(`--sizes has ${JSON.stringify(text)}, expected pairs from 64 to 64M, as 4096, 64k or 4M`);
}
