/** What is measured: a workload, a query and its algorithm. */

import type { Algorithm } from '../../src/api/types.ts';
import type { Query } from '../throughput/protocol.ts';
import type { WorkloadName } from '../throughput/workloads/make.ts';

/** `newton`: a projected Newton search, and GJK for what it leaves open. */
export type Searches = 'sat' | 'newton' | 'gjk' | 'gjk+epa';

export interface GpuCase {
  /** `workload/query`, of boxes with the algorithm behind it. */
  name: string;
  workload: WorkloadName;
  query: Query;
  algorithm: Algorithm;
  /** What the query comes down to for these shapes. */
  searches: Searches;
}

const boxes: GpuCase[] = [
  { name: 'boxes/intersects/sat', workload: 'boxes', query: 'intersects', algorithm: 'sat', searches: 'sat' },
  { name: 'boxes/distances/auto', workload: 'boxes', query: 'distances', algorithm: 'auto', searches: 'newton' },
  { name: 'boxes/distances/gjk', workload: 'boxes', query: 'distances', algorithm: 'gjk', searches: 'gjk' },
  { name: 'boxes/contacts/gjk', workload: 'boxes', query: 'contacts', algorithm: 'gjk', searches: 'gjk+epa' },
  { name: 'boxes/contacts/sat', workload: 'boxes', query: 'contacts', algorithm: 'sat', searches: 'sat' },
  { name: 'boxes/manifolds/sat', workload: 'boxes', query: 'manifolds', algorithm: 'sat', searches: 'sat' },
];

const of = (workload: WorkloadName, query: Query): GpuCase => ({
  name: `${workload}/${query}`,
  workload,
  query,
  algorithm: 'auto',
  searches: query === 'contacts' || query === 'manifolds' ? 'gjk+epa' : 'gjk',
});

/** In the order of their importance: what time runs out for is left out at the end. */
export const CASES: readonly GpuCase[] = [
  ...boxes.slice(0, 4),
  of('hull32', 'distances'),
  of('hull32', 'contacts'),
  boxes[5],
  of('hull32', 'manifolds'),
  boxes[4],
  of('hull32', 'intersects'),
  of('mixed', 'contacts'),
  of('mixed', 'distances'),
  of('mixed', 'intersects'),
  ...(['hull8', 'hull128', 'hull64'] as const).flatMap((workload) =>
    (['contacts', 'distances', 'intersects'] as const).map((query) => of(workload, query)),
  ),
];

/**
 * In the order of `wanted`, which are names of cases or their first parts, such as `hull32` or `boxes/contacts`;
 * unknown ones are given back.
 */
export function chooseCases(wanted: readonly string[]): { cases: GpuCase[]; unknown: string[] } {
  return {
    cases: [...new Set(wanted.flatMap((part) => CASES.filter(({ name }) => fits(name, part))))],
    unknown: wanted.filter((part) => !CASES.some(({ name }) => fits(name, part))),
  };
}

function fits(name: string, part: string): boolean {
  return name === part || name.startsWith(`${part}/`);
}

/** The share of hits of every measurement but those that vary it. */
export const STANDARD_HIT_RATE = 0.5;
const OTHER_HIT_RATES = [0.05, 0.85] as const;

/** How pairs and bodies of a measurement are laid out. */
export interface Variant {
  /**
   * `shared`: pairs beyond the workload's repeat its list over the same bodies, which a GPU's caches may hold. `own`:
   * every pair has two bodies of its own in memory; poses repeat those of the workload.
   */
  bodies: 'shared' | 'own';
  hitRate: number;
  /** Searches begin where the last ones ended, and bodies move a little from run to run. */
  isWarm: boolean;
}

export const STANDARD: Variant = { bodies: 'shared', hitRate: STANDARD_HIT_RATE, isWarm: false };

/** What is measured of a case besides its curve over sizes. */
export function variantsOf({ searches }: GpuCase): Variant[] {
  return [
    { ...STANDARD, bodies: 'own' },
    ...OTHER_HIT_RATES.map((hitRate) => ({ ...STANDARD, hitRate })),
    ...(searches === 'sat' ? [] : [{ ...STANDARD, isWarm: true }]),
  ];
}

export function variantName({ bodies, hitRate, isWarm }: Variant): string {
  return [`${Math.round(100 * hitRate)} % hits`, bodies === 'own' ? 'own bodies' : '', isWarm ? 'warm' : '']
    .filter(Boolean)
    .join(', ');
}
