/** Answers of a GPU held against the CPU reference in double precision, before anything is timed. */

import { Status } from '../../src/api/types.ts';
import { BANDS, compareAnswers } from '../judges/compare-answers.ts';
import type { Query } from '../workloads/query.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import { makeJudge, type PairJudge } from './judge.ts';
import type { Records } from './records.ts';
import type { CaseWorkload } from './case-workload.ts';

/** Pairs compared, spread over the workload; pairs in motion are judged at several times. */
export const COMPARED = { still: 2000, moving: 500 };

export interface Comparison {
  /** Pairs with something to compare. */
  compared: number;
  wrongFlags: number;
  wrongDistances: number;
  /** Error of the distances, as a share of the size; null if the query gives no distances. */
  largestError: number | null;
  /** Among all pairs of the workload; exempt from the comparison. */
  notConverged: number;
  /** Among all pairs: statuses that valid input can't have. */
  withoutAnswer: number;
}

export function isWrong({ wrongFlags, wrongDistances, withoutAnswer }: Comparison): boolean {
  return wrongFlags + wrongDistances + withoutAnswer > 0;
}

/** What is known of some pairs. */
export interface KnownPairs {
  indices: Uint32Array;
  /** max(sum of the bounding radii, distance of the bodies). */
  size: Float64Array;
  /** Signed distance at the start; NaN where the reference has none. */
  distance: Float64Array;
  judge: PairJudge;
  /** Seconds of motion; null: at rest. */
  duration: number | null;
}

/** `bodies`: the workload's, or where they have moved to. */
export function knownPairs(workload: CaseWorkload, bodies: AnyBodies, pairCount: number): KnownPairs {
  const judge = makeJudge(workload, bodies);
  const duration = workload.motion?.duration ?? null;
  const count = Math.min(duration === null ? COMPARED.still : COMPARED.moving, pairCount);
  const indices = Uint32Array.from({ length: count }, (_, i) => Math.floor((i * pairCount) / count));
  const size = Float64Array.from(indices, (pair) => judge.sizeOf(pair));
  const distance = Float64Array.from(indices, (pair) => judge.distanceOf(pair, 0));
  return { indices, size, distance, judge, duration };
}

export function compareRecords(query: Query, records: Records, known: KnownPairs): Comparison {
  const { status, hit, distance } = records;
  const due = [...known.indices.keys()].filter((i) => status[known.indices[i]] !== Status.NotConverged);
  const pairs = due.map((i) => known.indices[i]);
  const { compared, wrongFlags, wrongDistances, largestError } = records.time
    ? compareTimes(due, records.time, known)
    : compareAnswers(
        query,
        {
          hit: Uint8Array.from(pairs, (pair) => hit[pair]),
          distance: distance && Float64Array.from(pairs, (pair) => distance[pair]),
        },
        {
          distance: Float64Array.from(due, (i) => known.distance[i]),
          size: Float64Array.from(due, (i) => known.size[i]),
        },
        BANDS.engine,
      );
  let notConverged = 0;
  let withoutAnswer = 0;
  for (const value of status) {
    if (value === Status.NotConverged) notConverged++;
    else if (value > Status.NotConverged) withoutAnswer++;
  }
  return { compared, wrongFlags, wrongDistances, largestError, notConverged, withoutAnswer };
}

/** Times between an impact and the time told at which the pair must not be deeper than the tolerance. */
const MOMENTS = 16;

/**
 * A time is right if the pair touches then, was not that close before, and did not overlap before, each to the
 * tolerance.
 */
function compareTimes(
  due: readonly number[],
  times: Float64Array,
  { indices, size, judge, duration }: KnownPairs,
): Pick<Comparison, 'compared' | 'wrongFlags' | 'wrongDistances' | 'largestError'> {
  let wrongFlags = 0;
  let wrongDistances = 0;
  let largestError = 0;
  for (const i of due) {
    const pair = indices[i];
    const tolerance = BANDS.engine * size[i];
    const time = times[pair];
    const isHit = time < Infinity;
    const begin = judge.timeOf(pair, 0);
    // Rays have no end: twice as long is well past A.
    const end = Math.min(time, duration!, 2 * begin + 1);
    const isLate =
      begin < end &&
      Array.from({ length: MOMENTS }, (_, k) => begin + ((k + 0.5) / MOMENTS) * (end - begin)).some(
        (moment) => judge.distanceOf(pair, moment) < -2 * tolerance,
      );
    if (!isHit) {
      if (isLate) wrongFlags++;
      continue;
    }
    const earliest = judge.timeOf(pair, 2 * tolerance);
    if (earliest === Infinity) {
      wrongFlags++;
      continue;
    }
    const found = judge.distanceOf(pair, time);
    const error = (time === 0 ? Math.max(found, 0) : Math.abs(found)) / size[i];
    largestError = Math.max(largestError, error);
    if (isLate || time < earliest || error > BANDS.engine) wrongDistances++;
  }
  return { compared: due.length, wrongFlags, wrongDistances, largestError };
}
