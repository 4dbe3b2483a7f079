/**
 * Whole queries: from the caller's arrays to result arrays, in Node and in a page. Every call passes all bodies and
 * pairs again, as a caller does whose bodies have moved.
 */

import type { Tester } from '../../../src/api/types.ts';
import { bodiesNeeded, firstPairs, type Workload } from '../../../verification/workloads/workload.ts';
import { PARTS, TARGET_USES, type Part, type Sample, type TargetUse, type WholeQuery } from '../protocol.ts';
import type { Query } from '../../../verification/workloads/query.ts';
import { answersOf, durationOf, type Result, type StartedRunner } from './result.ts';

/** Shorter queries are called several times per run: clocks of browsers tell tenths of a millisecond. */
const LEAST_RUN_MS = 50;
const MOST_CALLS = 256;

export interface WholeRunner extends Omit<StartedRunner, 'run'> {
  /** Calls the query over the reserved pairs, as often as a run needs. */
  call(use: TargetUse): Promise<WholeQuery>;
}

/** The tester must have the workload's shapes. */
export async function createWholeRunner(tester: Tester, workload: Workload, query: Query): Promise<WholeRunner> {
  const ask = tester[query] as (...args: unknown[]) => Promise<Result>;
  const options = query === 'impacts' ? { duration: durationOf(workload) } : {};
  let input = firstOf(workload, 1);
  let result: Result;
  let calls = 1;
  const { ms: firstCallMs } = await call('fresh');
  return {
    firstCallMs,
    async reserve(count) {
      input = firstOf(workload, count);
      calls = 1;
      await call('fresh');
      const { ms } = await call('target');
      calls = Math.min(MOST_CALLS, Math.max(1, Math.ceil(LEAST_RUN_MS / ms)));
    },
    call,
    answers: async (indices) => answersOf(result, indices),
  };

  async function call(use: TargetUse): Promise<WholeQuery> {
    const sums: Partial<Record<Part, number>> = {};
    const start = performance.now();
    for (let i = 0; i < calls; i++) {
      result = await ask(input.bodies, input.pairs, use === 'target' ? { ...options, target: result } : options);
      const timings: Partial<Record<Part, number>> = tester.timings;
      for (const part of PARTS) if (part in timings) sums[part] = (sums[part] ?? 0) + timings[part]!;
    }
    const ms = (performance.now() - start) / calls;
    const parts = Object.fromEntries(Object.entries(sums).map(([part, sum]) => [part, sum / calls]));
    return { ms, calls, parts };
  }
}

/** The first pairs, and no more bodies than they need. */
function firstOf(workload: Workload, count: number): Pick<Workload, 'bodies' | 'pairs'> {
  const { shapes, positions, quaternions, linearVelocities } = workload.bodies;
  const n = bodiesNeeded(workload, count);
  return {
    bodies: {
      shapes: shapes.subarray(0, n),
      positions: positions.subarray(0, 3 * n),
      quaternions: quaternions.subarray(0, 4 * n),
      ...(linearVelocities && { linearVelocities: linearVelocities.subarray(0, 3 * n) }),
    },
    pairs: firstPairs(workload, count),
  };
}

/** Milliseconds that the calling thread is busy while `work` runs; undefined: it can't be told. */
export type MainThreadMeter = (work: () => Promise<WholeQuery>) => Promise<[query: WholeQuery, busyMs?: number]>;

/** A run: the query without `target`, then with it. */
export async function runWhole(call: (use: TargetUse) => Promise<WholeQuery>, meter: MainThreadMeter): Promise<Sample> {
  const whole: Partial<Record<TargetUse, WholeQuery>> = {};
  for (const use of TARGET_USES) {
    const [query, busyMs] = await meter(() => call(use));
    whole[use] = { ...query, ...(busyMs !== undefined && { mainThreadMs: busyMs / query.calls }) };
  }
  return { ms: whole.fresh!.ms, whole: whole as Record<TargetUse, WholeQuery> };
}
