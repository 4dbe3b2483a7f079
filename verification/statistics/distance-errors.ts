/** Statistics of the errors of signed distances. */

import { Status } from '../../src/api/types.ts';

/** The answers, pair by pair. */
export interface Distances {
  distance: ArrayLike<number>;
  status: ArrayLike<number>;
}

export interface DistanceErrors {
  pairs: number;
  /** Pairs whose true distance is 0 or less. */
  overlapping: number;
  /** Largest and 99.9th-percentile error of the pairs that converged, as shares of the pair's size. */
  largest: number;
  percentile: number;
  /**
   * Pairs whose error is above the tolerance, and pairs with a wrong sign although the true distance is farther from 0
   * than the tolerance.
   */
  outside: number;
  wrongSigns: number;
  notConverged: number;
}

/**
 * Compares the first `count` pairs with the truth, by one tolerance for all or one per pair. Answers that did not
 * converge are only counted.
 */
export function distanceErrors(
  found: Distances,
  truth: ArrayLike<number>,
  sizes: ArrayLike<number>,
  count: number,
  tolerances: number | ((pair: number) => number),
): DistanceErrors {
  const statistics: DistanceErrors = {
    pairs: count,
    overlapping: 0,
    largest: 0,
    percentile: 0,
    outside: 0,
    wrongSigns: 0,
    notConverged: 0,
  };
  const errors = new Float64Array(count);
  let converged = 0;
  for (let pair = 0; pair < count; pair++) {
    const [distance, status] = [found.distance[pair], found.status[pair]];
    const isOverlap = truth[pair] <= 0;
    const tolerance = typeof tolerances === 'number' ? tolerances : tolerances(pair);
    if (isOverlap) statistics.overlapping++;
    if (status === Status.NotConverged) {
      statistics.notConverged++;
      continue;
    }
    // NaN in the answer or the truth is worse than any error, so it exceeds every tolerance.
    const off = Math.abs(distance - truth[pair]);
    const error = Number.isNaN(off) ? Infinity : off === 0 ? 0 : off / sizes[pair];
    errors[converged++] = error;
    if (!(error <= tolerance)) statistics.outside++;
    if (isWrongSign(status, truth[pair], tolerance * sizes[pair])) statistics.wrongSigns++;
  }
  const sorted = errors.subarray(0, converged).sort();
  if (converged > 0) {
    statistics.largest = sorted[converged - 1];
    statistics.percentile = percentileOf(sorted);
  }
  return statistics;
}

/** The 99.9th percentile of sorted errors; 0 if there are none. */
export function percentileOf(sorted: Float64Array): number {
  return sorted[Math.floor(0.999 * (sorted.length - 1))] ?? 0;
}

/** Whether a status is invalid for an answer, or has the wrong sign although the truth is more than `t` from 0. */
function isWrongSign(status: number, truth: number, t: number): boolean {
  if (status !== Status.Separated && status !== Status.Overlapping) return true;
  return !(Math.abs(truth) <= t) && (status === Status.Overlapping) !== truth <= 0;
}
