/** The messages between the page and the worker that measures. */

import type { Comparison } from '../../verification/gpu-cases/answers.ts';
import type { Rate } from '../../verification/gpu-cases/sampling.ts';
import type { BackendChoice } from '../common/choose-backend.ts';

/** The worker opens its device first, and then runs any number of tasks. */
export type WorkerTask =
  { kind: 'open'; choice: BackendChoice } | { kind: 'run'; cases: string[]; pairs: number; rounds: number };

export type WorkerEvent =
  | { kind: 'opened'; adapter: AdapterFacts | null; reason: string }
  | { kind: 'lost'; reason: string }
  | { kind: 'step'; name: string; step: string }
  | { kind: 'measured'; result: CaseResult }
  | { kind: 'failed'; name: string; reason: string }
  | { kind: 'done' };

/** What the page shows of the worker's device. */
export interface AdapterFacts {
  name: string;
  isSoftware: boolean;
  hasTimestamps: boolean;
  hasSubgroups: boolean;
  /** Bytes. */
  largestBuffer: number;
}

export interface CaseResult {
  name: string;
  pairs: number;
  /** Pairs per second: by timestamps of the GPU where there are any, otherwise from submission until the work is done. */
  rate: Rate;
  /** Milliseconds of one run over all pairs: the median. */
  ms: number;
  clock: 'timestamps' | 'wall';
  /** null: the CPU backend, which is the reference. */
  answers: Comparison | null;
}
