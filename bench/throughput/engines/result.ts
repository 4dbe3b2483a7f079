/** What both ways to ask a tester share: their results, read at the pairs that engines are compared at. */

import type { Contacts, Distances, Impacts, Intersections, Manifolds } from '../../../src/api/types.ts';
import type { AnyWorkload } from '../../../verification/workloads/workload.ts';
import type { Answers } from '../../../verification/judges/compare-answers.ts';
import type { Runner } from '../runner.ts';

export type Result = Intersections | Distances | Contacts | Manifolds | Impacts;

/** A runner that has made the first query of its tester, over one pair. */
export interface StartedRunner extends Runner {
  /** Milliseconds of that query. */
  firstCallMs: number;
}

/** Seconds that bodies move; undefined where they stand. */
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
