/** The workload of a case. */

import type { Case } from '../cases.ts';
import type { Truth } from '../../../verification/judges/compare-answers.ts';
import {
  makeMovingWorkload,
  makeWorkload,
  type MovingWorkloadName,
  type WorkloadName,
} from '../../../verification/workloads/make.ts';
import {
  makePlanarWorkload,
  PLANAR_WORKLOADS,
  type PlanarWorkloadName,
} from '../../../verification/workloads/planar.ts';
import type { AnyWorkload } from '../../../verification/workloads/workload.ts';

export function workloadOf({ workload: name, query, hitRate }: Case, pairs: number, seed: number): AnyWorkload {
  if (PLANAR_WORKLOADS.includes(name as PlanarWorkloadName))
    return makePlanarWorkload(name as PlanarWorkloadName, pairs, hitRate, seed);
  return query === 'impacts'
    ? makeMovingWorkload(name as MovingWorkloadName, pairs, seed)
    : makeWorkload(name as WorkloadName, pairs, hitRate, seed);
}

/** Share of the pairs that hit. */
export function hitShare({ distance }: Truth): number {
  return distance.reduce((hits, d) => hits + (d <= 0 ? 1 : 0), 0) / distance.length;
}
