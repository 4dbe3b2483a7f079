/**
 * Answers against the reference. Flags are compared where the true distance is farther from 0 than the tolerance,
 * distances where the call tells one. What "distance" means follows the query: `contacts` resolves penetration and need
 * not tell gaps, `distances` tells gaps and need not resolve penetration. For `impacts`, the true distance is the
 * least on the way. Times are judged by `timeErrors`, as lengths: near a graze, a tiny length is a long time.
 */

import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { Query } from '../workloads/query.ts';

/** Answers for the requested pairs, in order. */
export interface Answers {
  hit: Uint8Array;
  /** Signed where the call resolves penetration; NaN where it tells none. null: the call answers yes or no alone. */
  distance: Float64Array | null;
  /** For `impacts`: seconds until the bodies meet; NaN if they don't. */
  time?: Float64Array;
  /** Mean over all pairs of the last run, where it is told. */
  iterations?: number;
}

/** What the reference knows of pairs. */
export interface Truth {
  /** Signed distance, for bodies in motion the least on their way; NaN where the reference has none. */
  distance: Float64Array;
  /** max(sum of the bounding radii, distance of the bodies): what errors are shares of. */
  size: Float64Array;
}

/** What the reference knows of pairs in motion, each at a time of its own. */
export interface Moments {
  /** Signed distance then; NaN where the reference has none, or there is no time. */
  distance: Float64Array;
  /** 1 where it grows then. */
  isParting: Uint8Array;
}

/**
 * Shares of max(sum of the bounding radii, distance of the bodies). Peers have slop of their own, in single precision.
 */
export const BANDS = { engine: TOLERANCE.kernels, peer: 1e-4 } as const;

/**
 * A subject is marked where so large a share of its answers is wrong by so much, as a share of the size: it is inexact,
 * or answers another question.
 */
export const DIFFERS = { share: 0.01, error: 1e-3 } as const;

/** Pairs whose answers are compared: the first ones, which every subject runs, and others spread over the rest. */
const JUDGED = { first: 4096, spread: 12_288 };

/** Indices of the pairs to compare among `count`, ascending. */
export function judgedPairs(count: number): Uint32Array {
  const { first, spread } = JUDGED;
  if (count <= first + spread) return Uint32Array.from({ length: count }, (_, i) => i);
  return Uint32Array.from({ length: first + spread }, (_, i) =>
    i < first ? i : first + Math.floor(((i - first) * (count - first)) / spread),
  );
}

export interface Agreement {
  /** Pairs with an answer to compare. */
  compared: number;
  wrongFlags: number;
  /** Among the pairs whose distance (for `impacts`: time) was compared. */
  wrongDistances: number;
  /** Wrong flags and distances that are wrong by more than `DIFFERS.error`. */
  farOff: number;
  /** Error of the distances, as a share of the size; null if the subject gives no distances. */
  largestError: number | null;
  medianError: number | null;
  /** Share of the pairs that overlap (for `impacts`: at any time of the motion), by the reference. */
  hitRate: number;
}

/**
 * How far times of impact are off, as lengths: by how much the pair is apart at the time told, or how deep it has
 * overlapped until then, save what overlaps as the motion begins. The least distance on the way lies behind pairs that
 * are parting, as the distance is a convex function of the time. NaN where there is no time.
 */
export function timeErrors(
  times: Float64Array,
  { distance, isParting }: Moments,
  truth: Pick<Truth, 'distance'>,
): Float64Array {
  return times.map((time, i) =>
    time === 0 ? Math.max(distance[i], 0) : Math.max(distance[i], -(isParting[i] ? truth.distance[i] : distance[i])),
  );
}

/** For `impacts`, `distance` holds the result of `timeErrors`. */
export function compareAnswers(query: Query, { hit, distance }: Answers, truth: Truth, band: number): Agreement {
  const errors: number[] = [];
  let compared = 0;
  let wrongFlags = 0;
  let wrongDistances = 0;
  let farOff = 0;
  let hits = 0;
  for (let i = 0; i < hit.length; i++) {
    const known = truth.distance[i];
    if (Number.isNaN(known)) continue;
    const tolerance = band * truth.size[i];
    if (known <= 0) hits++;
    const isFlagDue = Math.abs(known) > tolerance;
    const isFlagWrong = isFlagDue && hit[i] !== (known <= 0 ? 1 : 0);
    if (isFlagWrong) wrongFlags++;
    if (isFlagWrong && Math.abs(known) > DIFFERS.error * truth.size[i]) farOff++;
    const isDistanceDue =
      distance !== null &&
      !isFlagWrong &&
      (query === 'impacts' ? hit[i] === 1 : isFlagDue && (query === 'distances' || known < 0));
    if (isDistanceDue) {
      const error = errorOf(query, distance[i], known) / truth.size[i];
      errors.push(error);
      if (!(error <= band)) wrongDistances++;
      if (!(error <= DIFFERS.error)) farOff++;
    }
    if (isFlagDue || isDistanceDue) compared++;
  }
  errors.sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b));
  const has = errors.length > 0;
  return {
    compared,
    wrongFlags,
    wrongDistances,
    farOff,
    largestError: has ? errors[errors.length - 1] : null,
    medianError: has ? errors[errors.length >> 1] : null,
    hitRate: hits / hit.length,
  };
}

/** A peer may resolve penetration although it is not asked to. */
function errorOf(query: Query, found: number, known: number): number {
  if (query === 'impacts') return found;
  return query === 'distances' ? Math.abs(Math.max(found, 0) - Math.max(known, 0)) : Math.abs(found - known);
}

export type Verdict = 'agrees' | 'some differ' | 'differs';

export function verdictOf({ compared, wrongFlags, wrongDistances, farOff }: Agreement): Verdict {
  if (compared === 0 || (farOff >= DIFFERS.share * compared && farOff > 0)) return 'differs';
  return wrongFlags + wrongDistances === 0 ? 'agrees' : 'some differ';
}
