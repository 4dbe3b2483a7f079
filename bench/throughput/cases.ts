/** What is measured: a workload, its share of hits, a query, and where the clock finds the input. */

import { WORKLOADS, type WorkloadName } from '../../verification/workloads/make.ts';
import { PLANAR_WORKLOADS, type PlanarWorkloadName } from '../../verification/workloads/planar.ts';
import { QUERIES, type Query } from '../../verification/workloads/query.ts';
import type { Arrays } from './protocol.ts';

export interface Case {
  /** `workload/query/hit rate in percent`. */
  name: string;
  workload: WorkloadName | PlanarWorkloadName;
  query: Query;
  /** 0 to 1; of debris it is what comes of the scene, of `impacts` about what the pairs are aimed for. */
  hitRate: number;
  arrays: Arrays;
  /** Pairs of this case. Default: those of the command line. */
  pairs?: number;
  /** Every engine and every peer, and the first engine with all pairs: the cases that targets are set for. */
  isMain: boolean;
}

/** The name of the throughput curves among the cases. */
export const CURVES = 'curves';

/** Pairs of the whole queries, over twice as many bodies. */
const WHOLE_SIZES = [2 ** 10, 2 ** 14, 2 ** 18, 2 ** 20];

const HIT_RATES = [0.05, 0.5, 0.85];
const MAIN: readonly WorkloadName[] = ['boxes', 'hull32'];

/** Cases of one workload and hit rate stand together: they share the workload's file. */
export const CASES: readonly Case[] = [
  ...WORKLOADS.flatMap(spatialCases),
  ...PLANAR_WORKLOADS.flatMap((workload) =>
    [...QUERIES, 'manifolds' as const].map((query) => makeCase(workload, query, 0.5, true)),
  ),
];

export const HOST_QUERIES: readonly Query[] = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'];

/** Whole queries of boxes, from the caller's arrays to result arrays: `host/query/pairs`. Measured only by name. */
export const HOST_CASES: readonly Case[] = WHOLE_SIZES.flatMap((pairs) =>
  HOST_QUERIES.map((query) => wholeCase(query, pairs)),
);

/** The whole queries among `cases`, each with so many pairs. */
export function withPairs(cases: readonly Case[], pairs: number): Case[] {
  const queries = new Set(cases.filter(({ arrays }) => arrays === 'host').map(({ query }) => query));
  return [...queries].map((query) => wholeCase(query, pairs));
}

function wholeCase(query: Query, pairs: number): Case {
  return {
    name: `host/${query}/${pairs}`,
    workload: 'boxes',
    query,
    hitRate: 0.5,
    arrays: 'host',
    pairs,
    isMain: true,
  };
}

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
    arrays: 'prepared',
    isMain,
  };
}

/** `wanted` are names of cases or their first parts: `boxes`, `hull32/contacts`. Unknown ones are given back. */
export function chooseCases(wanted: readonly string[]): { cases: Case[]; unknown: string[] } {
  const all = [...CASES, ...HOST_CASES];
  return {
    cases: all.filter(({ name }) => wanted.some((part) => fits(name, part))),
    unknown: wanted.filter((part) => part !== CURVES && !all.some(({ name }) => fits(name, part))),
  };
}

function fits(name: string, part: string): boolean {
  return name === part || name.startsWith(`${part}/`);
}
