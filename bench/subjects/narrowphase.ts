/** Queries of narrowphase as a subject, in Node and in a page: as a batch on a GPU, as calls on the CPU backend. */

import { layouts } from '../../src/generated/layouts.ts';
import { planarRecords, spaceRecords } from '../../src/records/layout.ts';
import type { Throttle } from '../../src/gpu/session.ts';
import type {
  Contacts,
  Distances,
  Impacts,
  Intersections,
  Manifolds,
  PlanarTester,
  Tester,
} from '../../src/api/types.ts';
import { thicken } from '../workloads/thin.ts';
import { firstPairs, type AnyWorkload } from '../workloads/workload.ts';
import { createBatchRunner } from './batch-runner.ts';
import type { Answers, EngineSpec, Loaded, Query } from './protocol.ts';
import type { Runner } from './runner.ts';

export type Result = Intersections | Distances | Contacts | Manifolds | Impacts;

/** A runner that has made the first query of its tester, over one pair. */
export interface StartedRunner extends Runner {
  /** Milliseconds of that query. */
  firstCallMs: number;
}

export interface EngineRunner extends Runner {
  loaded: Loaded;
}

export type AnyTester = Tester | PlanarTester;

export function dimensionOf(plane: EngineSpec['plane']): 2 | 3 {
  return plane === 'flat' ? 2 : 3;
}

export function workloadFor(plane: EngineSpec['plane'], workload: AnyWorkload): AnyWorkload {
  return plane === 'thin' && workload.dimension === 2 ? thicken(workload) : workload;
}

/** `rest` is how the host waits for the GPU. */
export async function createRunner(
  anyTester: AnyTester,
  workload: AnyWorkload,
  query: Query,
  rest?: Throttle,
): Promise<EngineRunner> {
  const isPlanar = workload.dimension === 2;
  // Testers differ in the types of what they are given, which the workload is.
  const tester = anyTester as Tester;
  for (const shape of workload.shapes) tester.addShape(shape as never);
  const create = tester.backend === 'webgpu' ? createBatchRunner : createCallRunner;
  const { firstCallMs, ...runner } = await create(tester, workload, query, rest);
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

/** The result's arrays are written again and again. */
async function createCallRunner(tester: Tester, workload: AnyWorkload, query: Query): Promise<StartedRunner> {
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
    target = await ask(workload.bodies, pairs, { target, ...(query === 'impacts' && { duration }) });
    return performance.now() - start;
  }
}

/** Of bodies in motion. */
export function durationOf(workload: AnyWorkload): number | undefined {
  return workload.dimension === 3 ? workload.duration : undefined;
}

export function answersOf(result: Result, indices: Uint32Array): Answers {
  if ('pointCount' in result) {
    return {
      hit: Uint8Array.from(indices, (i) => Number(result.pointCount[i] > 0)),
      distance: Float64Array.from(indices, (i) => (result.pointCount[i] > 0 ? result.contactDistance[i] : NaN)),
    };
  }
  const hit = 'hit' in result ? result.hit : result.status.map((value) => (value === 1 ? 1 : 0));
  return {
    hit: Uint8Array.from(indices, (i) => hit[i]),
    distance: 'distance' in result ? Float64Array.from(indices, (i) => result.distance[i]) : null,
    ...('time' in result && { time: Float64Array.from(indices, (i) => (hit[i] ? result.time[i] : NaN)) }),
    ...('iterations' in result && { iterations: result.iterations.reduce((sum, n) => sum + n, 0) / result.count }),
  };
}
