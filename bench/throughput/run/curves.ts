/**
 * Throughput over the number of pairs, for each engine: boxes and hulls of 32 vertices, every query, half of the pairs
 * overlapping. Beyond the pairs of the workload its list is repeated. A size is left out where it would take too long.
 */

import { median } from '../../../verification/statistics/median.ts';
import { QUERIES, type Query } from '../../../verification/workloads/query.ts';
import type { EngineSpec, Subject } from '../protocol.ts';
import type { WorkloadName } from '../../../verification/workloads/make.ts';
import { startChild } from './child-process.ts';

/** 1 k to 16 M. */
export const SIZES = Array.from({ length: 8 }, (_, k) => 2 ** (10 + 2 * k));
const CURVE_WORKLOADS: readonly WorkloadName[] = ['boxes', 'hull32'];

export interface CurvePoint {
  pairs: number;
  /** Median; null: left out. */
  ms: number | null;
}

export interface Curve {
  engine: string;
  workload: WorkloadName;
  query: Query;
  points: CurvePoint[];
  failure: string | null;
}

export interface CurveOptions {
  /** Longest run that is begun, in milliseconds. */
  longestMs: number;
  sizes: readonly number[];
  repeats: number;
}

const CALL_MS = 180_000;

export async function runCurve(
  engine: EngineSpec,
  workload: WorkloadName,
  query: Query,
  file: string,
  options: CurveOptions,
): Promise<Curve> {
  const child = startChild<Subject>({ kind: 'engine', engine });
  const curve: Curve = { engine: engine.name, workload, query, points: [], failure: null };
  try {
    await child.call('open', CALL_MS);
    await child.call('load', CALL_MS, file, query, 'prepared');
    let msPerPair = 0;
    for (const pairs of options.sizes) {
      if (msPerPair * pairs > options.longestMs) {
        curve.points.push({ pairs, ms: null });
        continue;
      }
      await child.call('reserve', CALL_MS, pairs);
      // The first run of a size makes its buffers.
      await child.call('run', CALL_MS, pairs);
      const samples: number[] = [];
      while (samples.length < options.repeats) samples.push((await child.call('run', CALL_MS, pairs)).ms);
      const ms = median(samples);
      curve.points.push({ pairs, ms });
      msPerPair = ms / pairs;
    }
  } catch (error) {
    curve.failure = (error as Error).message.split('\n')[0];
  } finally {
    await child.end();
  }
  return curve;
}

export const CURVE_SERIES = CURVE_WORKLOADS.flatMap((workload) => QUERIES.map((query) => ({ workload, query })));
