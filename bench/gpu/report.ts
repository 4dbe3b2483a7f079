/** What was found, as the JSON file has it. */

import type { Machine } from '../machine.ts';
import type { AdapterFacts, CompileTimes } from './facts.ts';
import type { Comparison } from '../../verification/gpu-cases/answers.ts';
import type { GpuCase, Variant } from '../../verification/gpu-cases/cases.ts';
import type { Peak } from './peaks.ts';
import type { Limit } from './roofline.ts';
import type { Sampled } from '../../verification/gpu-cases/sampling.ts';
import type { HostRow } from './host.ts';
import type { Work } from './work.ts';

/** One measurement. */
export interface Point extends Sampled {
  pairs: number;
  /** Runs of a smaller batch that these pairs take, where a buffer of the device can't hold them at once. */
  turns: number;
  variant: Variant;
  work: Work;
  limit: Limit;
  /** The rate by timestamps, by the wall clock without them, as a share of the limit. */
  shareOfLimit: number;
  /** What the batch counted in a run over cleared records is not what its pairs have; null: it is. */
  miscounted: string | null;
}

export interface ReadBack {
  pairs: number;
  hits: number;
  bytes: number;
  /** Milliseconds of `read` when the work is done already. */
  readMs: number;
  /** Milliseconds from the submission of the query until the result is on the host. */
  roundTripMs: number;
}

export interface FirstCall {
  pairs: number;
  /** Milliseconds from `createBatch` until the first submission's work is done, in a fresh device. */
  ms: number;
  compile: CompileTimes;
}

export interface CaseReport extends GpuCase {
  firstCall: FirstCall | null;
  answers: (Comparison & { variant: Variant })[];
  points: Point[];
  /** What was left out, and why. */
  skipped: { pairs: number; variant: Variant; reason: string }[];
  readBack: ReadBack | null;
  /** What ended the case; what was found before it is kept. */
  failure: string | null;
  /** Why instructions were not counted. */
  countFailure: string | null;
  seconds: number;
}

export interface GpuReport {
  version: 1;
  generator: string;
  command: string;
  date: string;
  seconds: number;
  machine: Machine;
  adapter: AdapterFacts;
  /** Versions of the package webgpu. */
  webgpu: string;
  /** Milliseconds until the first device was there. */
  openMs: number;
  peak: { known: Peak | null; measured: Peak };
  settings: {
    basePairs: number;
    rounds: number;
    sampleMs: number;
    warmUpMs: number;
    seed: number;
    motion: number;
    /** Whether instructions were counted. */
    counts: boolean;
  };
  cases: CaseReport[];
  /** Whole queries. */
  host: HostRow[];
  /** Cases that no time was left for. */
  left: string[];
}

/** The peak that limits are made of. */
export function peakOf({ peak }: Pick<GpuReport, 'peak'>): Peak {
  return peak.known ?? peak.measured;
}

export function rateOfPoint({ gpu, wall }: Pick<Point, 'gpu' | 'wall'>): number {
  return (gpu ?? wall).median;
}

/** Whether something is wrong that a benchmark must not pass over. */
export function hasFaults(
  { cases, host }: Pick<GpuReport, 'cases' | 'host'>,
  isWrong: (comparison: Comparison) => boolean,
): boolean {
  return (
    host.some(({ failure }) => failure !== null) ||
    cases.some(
      ({ answers, points, failure, countFailure }) =>
        failure !== null ||
        countFailure !== null ||
        answers.some(isWrong) ||
        points.some(({ miscounted }) => miscounted !== null),
    )
  );
}
