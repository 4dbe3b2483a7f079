/** Queries of narrowphase as a subject, in Node and in a page: as a batch on a GPU, as calls on the CPU backend. */

import { layouts } from '../../../src/generated/layouts.ts';
import { planarRecords, spaceRecords } from '../../../src/records/layout.ts';
import type { Throttle } from '../../../src/gpu/session.ts';
import type { Algorithm, PlanarTester, Tester } from '../../../src/api/types.ts';
import { thicken } from '../../../verification/workloads/thin.ts';
import { firstPairs, type AnyWorkload } from '../../../verification/workloads/workload.ts';
import { createBatchRunner } from './batch-runner.ts';
import type { EngineSpec, LoadedWorkload } from '../protocol.ts';
import type { Query } from '../../../verification/workloads/query.ts';
import { answersOf, durationOf, type Result, type StartedRunner } from './result.ts';
import type { Runner } from '../runner.ts';
import { createWholeRunner, runWhole, type MainThreadMeter, type WholeRunner } from './whole-query.ts';

export interface EngineRunner extends Runner {
  loaded: LoadedWorkload;
}

export type AnyTester = Tester | PlanarTester;

export function dimensionOf(plane: EngineSpec['plane']): 2 | 3 {
  return plane === 'flat' ? 2 : 3;
}

export function workloadFor(plane: EngineSpec['plane'], workload: AnyWorkload): AnyWorkload {
  return plane === 'thin' && workload.dimension === 2 ? thicken(workload) : workload;
}

export interface RunnerOptions {
  /** How the host waits for the GPU. */
  rest?: Throttle;
  algorithm?: Algorithm;
}

export async function createRunner(
  anyTester: AnyTester,
  workload: AnyWorkload,
  query: Query,
  { rest, algorithm = 'auto' }: RunnerOptions = {},
): Promise<EngineRunner> {
  const isPlanar = workload.dimension === 2;
  // Testers differ in the types of what they are given, which the workload is.
  const tester = anyTester as Tester;
  for (const shape of workload.shapes) tester.addShape(shape as never);
  const { firstCallMs, ...runner } =
    tester.backend === 'webgpu'
      ? await createBatchRunner(tester, workload, query, algorithm, rest)
      : await createCallRunner(tester, workload, query, algorithm);
  const bytesPerBody =
    (isPlanar ? layouts.PlanarPose : layouts.Pose).size + 4 + (query === 'impacts' ? layouts.Velocity.size : 0);
  return {
    ...runner,
    loaded: {
      firstCallMs,
      bytesPerPair: 8 + 4 * (isPlanar ? planarRecords : spaceRecords).sizes[query].words,
      bytesPerBody,
    },
  };
}

export interface WholeEngineRunner extends EngineRunner, Pick<WholeRunner, 'call'> {}

/** A whole query as a subject. `meter` is missing where the caller runs `call` and measures around it. */
export async function createWholeSubject(
  tester: AnyTester,
  workload: AnyWorkload,
  query: Query,
  meter: MainThreadMeter = async (work) => [await work()],
): Promise<WholeEngineRunner> {
  if (workload.dimension === 2) throw new Error('whole queries are measured in space only');
  for (const shape of workload.shapes) (tester as Tester).addShape(shape);
  const { firstCallMs, ...runner } = await createWholeRunner(tester as Tester, workload, query);
  return { ...runner, run: () => runWhole(runner.call, meter), loaded: { firstCallMs } };
}

/** The result's arrays are written again and again. */
async function createCallRunner(
  tester: Tester,
  workload: AnyWorkload,
  query: Query,
  algorithm: Algorithm,
): Promise<StartedRunner> {
  const ask = tester[query] as (...args: unknown[]) => Promise<Result>;
  const duration = durationOf(workload);
  let pairs = firstPairs(workload, 1);
  let target: Result | undefined;
  return {
    firstCallMs: await timedCall(),
    reserve(count) {
      pairs = firstPairs(workload, count);
      target = undefined;
    },
    run: async () => ({ ms: await timedCall() }),
    answers: async (indices) => answersOf(target!, indices),
  };

  async function timedCall(): Promise<number> {
    const start = performance.now();
    target = await ask(workload.bodies, pairs, { target, algorithm, ...(query === 'impacts' && { duration }) });
    return performance.now() - start;
  }
}
