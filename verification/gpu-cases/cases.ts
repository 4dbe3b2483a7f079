/** What is measured: a workload, a query and its algorithm. */

import type { Algorithm } from '../../src/api/types.ts';
import type { Query } from '../workloads/query.ts';
import { isPlanar, type CaseWorkloadName, type Motion } from './case-workload.ts';

export interface GpuCase {
  /** `workload/query`, then the algorithm or the motion where there are several; `workload/rays`. */
  name: string;
  workload: CaseWorkloadName;
  query: Query;
  algorithm: Algorithm & ('auto' | 'sat' | 'gjk');
  /** For `impacts`. */
  motion: Motion | null;
}

const of = (workload: CaseWorkloadName, query: Query, algorithm?: GpuCase['algorithm']): GpuCase => ({
  name: [workload, query, algorithm].filter(Boolean).join('/'),
  workload,
  query,
  algorithm: algorithm ?? 'auto',
  motion: null,
});

const moving = (workload: CaseWorkloadName, motion: Motion): GpuCase => ({
  name: motion === 'rays' ? `${workload}/rays` : `${workload}/impacts/${motion}`,
  workload,
  query: 'impacts',
  algorithm: 'auto',
  motion,
});

/** In the order of their importance: what time runs out for is left out at the end. */
export const CASES: readonly GpuCase[] = [
  of('boxes', 'intersects', 'sat'),
  of('boxes', 'distances', 'auto'),
  of('boxes', 'distances', 'gjk'),
  of('boxes', 'contacts', 'gjk'),
  of('hull32', 'distances'),
  of('hull32', 'contacts'),
  of('boxes', 'manifolds', 'sat'),
  of('hull32', 'manifolds'),
  of('boxes', 'contacts', 'sat'),
  of('hull32', 'intersects'),
  of('mixed', 'contacts'),
  of('hull32', 'contacts', 'gjk'),
  of('hull8', 'contacts'),
  of('hull128', 'contacts'),
  moving('boxes', 'straight'),
  moving('hull32', 'straight'),
  moving('hull32', 'turning'),
  moving('boxes', 'turning'),
  moving('hull32', 'rays'),
  of('rectangles', 'contacts'),
  of('polygon8', 'contacts'),
  of('polygon8', 'manifolds'),
  of('polygon8', 'distances'),
  moving('polygon8', 'straight'),
  moving('polygon8', 'turning'),
  of('mixed', 'distances'),
  of('mixed', 'intersects'),
  moving('mixed', 'straight'),
  moving('boxes', 'rays'),
  ...(['manifolds', 'distances'] as const).map((query) => of('rectangles', query)),
  ...(['straight', 'turning', 'rays'] as const).map((motion) => moving('rectangles', motion)),
  ...(['distances', 'intersects'] as const).flatMap((query) =>
    (['hull8', 'hull128'] as const).map((workload) => of(workload, query)),
  ),
  ...(['contacts', 'distances', 'intersects'] as const).map((query) => of('hull64', query)),
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
export function variantsOf({ workload, algorithm, motion }: Omit<GpuCase, 'name'>): Variant[] {
  const startsWarm = !isPlanar(workload) && motion === null && algorithm !== 'sat';
  return [
    { ...STANDARD, bodies: 'own' },
    ...(motion === null ? OTHER_HIT_RATES : []).map((hitRate) => ({ ...STANDARD, hitRate })),
    ...(startsWarm ? [{ ...STANDARD, isWarm: true }] : []),
  ];
}
export function variantName({ bodies, hitRate, isWarm }: Variant): string {
  return [`${Math.round(100 * hitRate)} % hits`, bodies === 'own' ? 'own bodies' : '', isWarm ? 'warm' : '']
    .filter(Boolean)
    .join(', ');
}
