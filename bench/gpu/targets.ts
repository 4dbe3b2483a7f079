/** What is to be reached on a known adapter, and whether it is. */

import type { AdapterFacts } from './facts.ts';
import { STANDARD_HIT_RATE } from '../../verification/gpu-cases/cases.ts';
import { rateOfPoint, type CaseReport, type Point } from './report.ts';

export interface Target {
  case: string;
  /** Pairs per second by timestamps, inputs resident. */
  least: number;
  aim: number;
}

/** The adapters that targets are set for: NVIDIA H200 and H100. */
const CARD = /\bh[12]00\b/i;

/** G pairs/s. */
const CARD_TARGETS: readonly Target[] = (
  [
    ['hull32/contacts', 0.45, 0.7],
    ['hull8/contacts', 0.8, 1.2],
    ['hull128/contacts', 0.18, 0.3],
    ['mixed/contacts', 0.55, 0.8],
    ['boxes/contacts/gjk', 0.8, 1.2],
    ['boxes/contacts/sat', 12, 20],
    ['boxes/manifolds/sat', 5, 10],
    ['hull32/manifolds', 0.35, 0.5],
    ['boxes/distances/auto', 10, 14],
    ['hull32/distances', 1.8, 3],
    ['boxes/intersects/sat', 39, 50],
  ] as const
).map(([name, least, aim]) => ({ case: name, least: 1e9 * least, aim: 1e9 * aim }));

/** Fewer do not fill the adapter. */
const LEAST_PAIRS = 2 ** 22;

export interface TargetResult extends Target {
  /** The best size with bodies of each pair's own, and with shared ones. */
  own: Point | null;
  shared: Point | null;
  /** By bodies of each pair's own where that was measured. `not judged`: another adapter, or too few pairs. */
  verdict: 'aim met' | 'met' | 'not met' | 'not judged';
}

export function judgeTargets(
  cases: readonly CaseReport[],
  adapter: Pick<AdapterFacts, 'device' | 'description'>,
): TargetResult[] {
  const isDue = CARD.test(`${adapter.device} ${adapter.description}`);
  return CARD_TARGETS.map((target) => {
    const points = (cases.find(({ name }) => name === target.case)?.points ?? []).filter(
      ({ variant: { hitRate, isWarm }, miscounted }) => hitRate === STANDARD_HIT_RATE && !isWarm && miscounted === null,
    );
    const best = (bodies: 'own' | 'shared'): Point | null =>
      points
        .filter(({ variant }) => variant.bodies === bodies)
        .sort((a, b) => b.pairs - a.pairs || rateOfPoint(b) - rateOfPoint(a))[0] ?? null;
    const [own, shared] = [best('own'), best('shared')];
    const judged = own ?? shared;
    const isJudged = isDue && judged !== null && judged.pairs >= LEAST_PAIRS && judged.gpu !== null;
    const rate = judged ? rateOfPoint(judged) : 0;
    const verdict = !isJudged
      ? 'not judged'
      : rate >= target.aim
        ? 'aim met'
        : rate >= target.least
          ? 'met'
          : 'not met';
    return { ...target, own, shared, verdict };
  });
}

/** Throughput has to stay within this share of the best from the floor to the ceiling. */
const FLAT = 0.8;
const CEILING = 2 ** 24;

export interface Flatness {
  case: string;
  from: number;
  to: number;
  /** The slowest size's rate as a share of the fastest one's. */
  share: number;
  verdict: 'flat' | 'not flat' | 'not measured to the end';
}

/** From 64 k pairs, on graphics cards from 4 M, to 16 M. */
export function judgeFlatness(cases: readonly CaseReport[], isSoftware: boolean): Flatness[] {
  const floor = isSoftware ? 2 ** 16 : 2 ** 22;
  return cases.flatMap(({ name, points }) => {
    const curve = points.filter(
      ({ pairs, variant: { bodies, hitRate, isWarm } }) =>
        pairs >= floor && pairs <= CEILING && bodies === 'shared' && hitRate === STANDARD_HIT_RATE && !isWarm,
    );
    if (curve.length < 2) return [];
    const rates = curve.map(rateOfPoint);
    const sizes = curve.map(({ pairs }) => pairs);
    const share = Math.min(...rates) / Math.max(...rates);
    const isWhole = Math.min(...sizes) === floor && Math.max(...sizes) === CEILING;
    const verdict = share < FLAT ? 'not flat' : isWhole ? 'flat' : 'not measured to the end';
    return [{ case: name, from: Math.min(...sizes), to: Math.max(...sizes), share, verdict } as const];
  });
}

export interface FirstCalls {
  /** The slowest case. */
  case: string;
  ms: number;
  /** null: there is none for this adapter. */
  limitMs: number | null;
}

/** Milliseconds by adapter. */
export const FIRST_CALL_LIMITS = [
  { adapter: /swiftshader/i, ms: 2000 },
  { adapter: /llvmpipe|lavapipe/i, ms: 5000 },
  { adapter: CARD, ms: 1000 },
];

export function judgeFirstCalls(
  cases: readonly CaseReport[],
  { device, description }: Pick<AdapterFacts, 'device' | 'description'>,
): FirstCalls | null {
  const calls = cases.flatMap(({ name, firstCall }) => (firstCall ? [{ case: name, ms: firstCall.ms }] : []));
  const slowest = calls.sort((a, b) => b.ms - a.ms)[0];
  if (!slowest) return null;
  return {
    ...slowest,
    limitMs: FIRST_CALL_LIMITS.find(({ adapter }) => adapter.test(`${device} ${description}`))?.ms ?? null,
  };
}
