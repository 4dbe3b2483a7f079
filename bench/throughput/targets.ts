/** What is to be reached, and whether it is: ratios to single-threaded peers, and rates of native libraries. */

import { thinId } from './protocol.ts';
import { ratioOf, type Ratio } from '../../verification/statistics/median.ts';
import { ratesOf, type BenchReport, type CaseReport, type Rates } from './report/report.ts';

export interface RatioTarget {
  what: string;
  case: string;
  /** `gpu`: the first engine that is one. */
  subject: 'gpu' | 'cpu';
  peer: string;
  least: number;
  /** The same library called without what its documented call makes anew each time. */
  prepared?: string;
}

export interface ThinTarget {
  what: string;
  case: string;
  /** Times as fast as the same engine on the same shapes, thin in space. */
  least: number;
}

export interface RateTarget {
  what: string;
  case: string;
  /** M pairs/s of the native library, in C++ on two threads of a machine like the one the targets were set on. */
  rate: number;
  native: string;
}

export const RATIO_TARGETS: readonly RatioTarget[] = [
  {
    what: 'box overlap',
    case: 'boxes/intersects/50',
    subject: 'gpu',
    peer: 'rapier:intersectsShape',
    least: 60,
    prepared: 'rapier:raw-intersects',
  },
  { what: 'box overlap', case: 'boxes/intersects/50', subject: 'gpu', peer: 'physx:overlap', least: 5 },
  {
    what: 'box contacts (SAT)',
    case: 'boxes/contacts/50',
    subject: 'gpu',
    peer: 'rapier:contactShape',
    least: 40,
    prepared: 'rapier:contactCollider',
  },
  { what: 'box distances', case: 'boxes/distances/50', subject: 'gpu', peer: 'physx:proximityInfo-far', least: 25 },
  {
    what: 'hull32 distances',
    case: 'hull32/distances/50',
    subject: 'gpu',
    peer: 'rapier:contactShape-far',
    least: 8,
    prepared: 'rapier:contactCollider-far',
  },
  {
    what: 'hull32 contacts',
    case: 'hull32/contacts/50',
    subject: 'gpu',
    peer: 'rapier:contactShape',
    least: 5,
    prepared: 'rapier:contactCollider',
  },
  {
    what: 'box manifolds',
    case: 'boxes/manifolds/50',
    subject: 'gpu',
    peer: 'rapier:contactShape',
    least: 10,
    prepared: 'rapier:contactCollider',
  },
  {
    what: 'hull32 manifolds',
    case: 'hull32/manifolds/50',
    subject: 'gpu',
    peer: 'rapier:contactShape',
    least: 3,
    prepared: 'rapier:contactCollider',
  },
  {
    what: 'box impacts',
    case: 'boxes/impacts/50',
    subject: 'gpu',
    peer: 'rapier:castShape',
    least: 10,
    prepared: 'rapier:raw-cast',
  },
  {
    what: 'rectangle overlap',
    case: 'rectangles/intersects/50',
    subject: 'gpu',
    peer: 'rapier2d:intersectsShape',
    least: 60,
    prepared: 'rapier2d:raw-intersects',
  },
  {
    what: 'polygon contacts',
    case: 'polygon8/contacts/50',
    subject: 'gpu',
    peer: 'rapier2d:contactShape',
    least: 20,
    prepared: 'rapier2d:contactCollider',
  },
  {
    what: 'box contacts, CPU backend',
    case: 'boxes/contacts/50',
    subject: 'cpu',
    peer: 'rapier:contactShape',
    least: 10,
    prepared: 'rapier:contactCollider',
  },
  {
    what: 'hull32 contacts, CPU backend',
    case: 'hull32/contacts/50',
    subject: 'cpu',
    peer: 'rapier:contactShape',
    least: 1.5,
    prepared: 'rapier:contactCollider',
  },
];

const THIN_WORKLOADS = [
  ['rectangle', 'rectangles'],
  ['polygon', 'polygon8'],
] as const;
const THIN_QUERIES = [
  ['overlap', 'intersects'],
  ['contacts', 'contacts'],
  ['distances', 'distances'],
  ['manifolds', 'manifolds'],
] as const;

export const THIN_TARGETS: readonly ThinTarget[] = THIN_WORKLOADS.flatMap(([shape, workload]) =>
  THIN_QUERIES.map(([what, query]) => ({ what: `${shape} ${what}`, case: `${workload}/${query}/50`, least: 2 })),
);

export const RATE_TARGETS: readonly RateTarget[] = [
  { what: 'box overlap', case: 'boxes/intersects/50', rate: 30, native: 'Jolt SAT' },
  { what: 'hull32 overlap', case: 'hull32/intersects/50', rate: 2.9, native: 'Jolt GJK' },
  { what: 'box distance', case: 'boxes/distances/50', rate: 3.9, native: 'Jolt GJK' },
  { what: 'hull32 distance', case: 'hull32/distances/50', rate: 1.4, native: 'Box3D' },
  { what: 'box contact', case: 'boxes/contacts/50', rate: 2.8, native: 'FCL SAT' },
  { what: 'hull32 contact', case: 'hull32/contacts/50', rate: 0.69, native: 'Jolt GJK and EPA' },
  { what: 'box impact', case: 'boxes/impacts/50', rate: 2.5, native: 'best shape cast' },
  { what: 'hull32 impact', case: 'hull32/impacts/50', rate: 0.9, native: 'best shape cast' },
];

export interface Measured {
  /** M pairs/s, medians. */
  rate: number;
  ratio: Ratio;
}

/** null where either side has not run; an engine of ours with wrong answers counts as not run. */
export function measureRatio(
  found: CaseReport | undefined,
  subject: string | undefined,
  other: string,
): Measured | null {
  const a = found && subject ? rightRatesOf(found, subject) : null;
  const b = found ? ratesOf(found, other) : null;
  return a && b ? { rate: b.median, ratio: ratioOf(a.rounds, b.rounds) } : null;
}

/** How many times as fast an engine is as itself on thin shapes in space, either with right answers. */
export function measureThin(found: CaseReport | undefined, engine: string): Measured | null {
  const thin = found && rightRatesOf(found, thinId(engine));
  return thin ? measureRatio(found, engine, thinId(engine)) : null;
}

/** Rates of one of our engines; null where any of its answers is wrong, as it then counts as not run. */
export function rightRatesOf(found: CaseReport, engine: string): Rates | null {
  const isRight = found.subjects.some(({ id, verdict }) => id === engine && verdict === 'agrees');
  return isRight ? ratesOf(found, engine) : null;
}

/** Whether a peer's answers differ from the reference by more than they may: its rate is that of another question. */
export function isInexact(found: CaseReport | undefined, peer: string): boolean {
  return found?.subjects.some(({ id, verdict }) => id === peer && verdict === 'differs') ?? false;
}

/**
 * The engine that targets for a GPU are judged by: a graphics card where there is one, otherwise the first there is.
 */
export function targetEngine(report: Pick<BenchReport, 'engines'>, subject: 'gpu' | 'cpu'): string | undefined {
  const names = report.engines.filter(({ unavailable }) => unavailable === null).map(({ name }) => name);
  return subject === 'cpu' ? names.find((name) => name === 'cpu') : names.find((name) => name !== 'cpu');
}
