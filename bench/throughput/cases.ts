/** What is measured: a workload, its share of hits, and a query. */

import { WORKLOADS, type WorkloadName } from './workloads/make.ts';
import { PLANAR_WORKLOADS, type PlanarWorkloadName } from './workloads/planar.ts';
import { QUERIES, type Query } from './protocol.ts';

export interface Case {
  /** `workload/query/hit rate in percent`. */
  name: string;
  workload: WorkloadName | PlanarWorkloadName;
  query: Query;
  /** 0 to 1; of debris it is what comes of the scene, of `impacts` about what the pairs are aimed for. */
  hitRate: number;
  /** Every engine and every peer, and the first engine with all pairs: the cases that targets are set for. */
  isMain: boolean;
}

/** The name of the throughput curves among the cases. */
export const CURVES = 'curves';

const HIT_RATES = [0.05, 0.5, 0.85];
const MAIN: readonly WorkloadName[] = ['boxes', 'hull32'];

/** Cases of one workload and hit rate stand together: they share the workload's file. */
export const CASES: readonly Case[] = [
  ...WORKLOADS.flatMap(spatialCases),
  ...PLANAR_WORKLOADS.flatMap((workload) =>
    [...QUERIES, 'manifolds' as const].map((query) => makeCase(workload, query, 0.5, true)),
  ),
];

function spatialCases(workload: WorkloadName): Case[] {
  const isMain = MAIN.includes(workload);
  const rates = isMain ? HIT_RATES : [0.5];
  return rates.flatMap((hitRate) => {
    const hasTargets = isMain && hitRate === 0.5;
    const queries: readonly Query[] = hasTargets ? [...QUERIES, 'manifolds', 'impacts'] : QUERIES;
    return queries.map((query) => makeCase(workload, query, hitRate, hasTargets));
  });
}

function makeCase(workload: Case['workload'], query: Query, hitRate: number, isMain: boolean): Case {
  return {
    name: `${workload}/${query}/${workload === 'debris' ? 'as-is' : 100 * hitRate}`,
    workload,
    query,
    hitRate,
    isMain,
  };
}

/** `wanted` are names of cases or their first parts: `boxes`, `hull32/contacts`. Unknown ones are given back. */
export function chooseCases(wanted: readonly string[]): { cases: Case[]; unknown: string[] } {
  return {
    cases: CASES.filter(({ name }) => wanted.some((part) => fits(name, part))),
    unknown: wanted.filter((part) => part !== CURVES && !CASES.some(({ name }) => fits(name, part))),
  };
}

function fits(name: string, part: string): boolean {
  return name === part || name.startsWith(`${part}/`);
}
