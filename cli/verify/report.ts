/**
 * The report of `narrowphase verify`: the comparison's inputs, its results, and the worst pairs in full. `--format
 * json` prints its JSON form.
 */

import type { Scene } from '../scene/scene.ts';
import type { EngineFacts } from '../../verification/engines/engine.ts';
import { exactJson } from '../exact-json.ts';
import type { ReportHeader } from '../report/report-header.ts';
import type { Comparison, CompareTimings } from './compare.ts';
import { FAULT_KINDS, FAULTS, QUANTITIES } from '../../verification/judges/faults.ts';
import type { Quantity } from '../../verification/judges/faults.ts';
import { binAt, occupiedBins } from '../../verification/statistics/histogram.ts';
import type { Bin } from '../../verification/statistics/histogram.ts';
import type { Terms } from '../../verification/judges/contact.ts';
import { worstPair } from './pair-report.ts';
import type { WorstPair } from './pair-report.ts';
import { hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';

/** What is known before anything is compared. */
export interface VerifyHeader {
  /** Version of the report's format. */
  version: 1;
  command: 'verify';
  /** Program and version that wrote the report. */
  generator: string;
  scene: Pick<ReportHeader['scene'], 'file' | 'sha256' | 'name' | 'bodies' | 'pairs'> & { shapes: number };
  query: ReportHeader['query'];
  /** `fallback`: why the CPU was taken although WebGPU was preferred; null otherwise. */
  engine: EngineFacts & { fallback: string | null };
  /** k: tolerances are k · max(s, |B - A|), where s is the sum of both bounding radii. */
  tolerance: number;
  /** k of pairs with a cylinder, a cone or an ellipsoid; null if the scene has none. */
  curvedTolerance: { apart: number; overlapping: number } | null;
  /** Additional error that is allowed in a reported f32 number, as a share of the number. */
  rounding: number;
}

export interface ErrorFacts {
  /** Pairs with this quantity. */
  measured: number;
  /** As a share of max(s, |B - A|), with its pair; null if nothing was measured. */
  largest: { error: number; pair: number } | null;
  /** Pairs whose error is exactly 0. */
  zeros: number;
  /** Errors of the other pairs. */
  histogram: Bin[];
}

export interface VerifyReport extends VerifyHeader {
  /** Pairs that were asked about and judged: all candidates. */
  pairs: number;
  passed: boolean;
  /** Pairs with at least one fault. */
  faulty: number;
  /** Number of faulty pairs for each kind of fault that occurred. */
  faults: { kind: string; text: string; pairs: number }[];
  /**
   * Pairs beyond the margin that have a lower bound of their distance. The error is the amount by which it is too high.
   */
  leftEarly: number;
  unanswered: { engine: number; reference: number; both: number };
  /** Calls whose status counts don't match their pairs, and a description of the first one. */
  miscounts: { calls: number; first: string | null };
  errors: Record<Quantity, ErrorFacts>;
  /** Milliseconds. */
  timings: CompareTimings & { load: number; pairs: number; start: number };
  /** The worst pairs first. */
  worst: WorstPair[];
}

export function verifyReport(
  header: VerifyHeader,
  { statistics, timings }: Comparison,
  earlier: Pick<VerifyReport['timings'], 'load' | 'pairs' | 'start'>,
  scene: Scene,
  pairs: Uint32Array,
  terms: Terms,
): VerifyReport {
  const { first, end } = occupiedBins(QUANTITIES.map((quantity) => statistics.errors[quantity].histogram));
  const errorFacts = QUANTITIES.map((quantity): [Quantity, ErrorFacts] => {
    const { histogram, largest } = statistics.errors[quantity];
    const measured = histogram.bins.reduce((sum, n) => sum + n, histogram.zeros);
    const bins = Array.from({ length: end - first }, (_, i) => binAt(histogram, first + i));
    return [quantity, { measured, largest, zeros: histogram.zeros, histogram: bins }];
  });
  return {
    ...header,
    pairs: statistics.pairs,
    passed: hasPassed(statistics),
    faulty: statistics.faulty,
    faults: FAULT_KINDS.filter((kind) => statistics.faults[kind] > 0).map((kind) => ({
      kind,
      text: FAULTS[kind],
      pairs: statistics.faults[kind],
    })),
    leftEarly: statistics.leftEarly,
    unanswered: statistics.unanswered,
    miscounts: statistics.miscounts,
    errors: Object.fromEntries(errorFacts) as Record<Quantity, ErrorFacts>,
    timings: { ...earlier, ...timings },
    worst: worstItems(statistics.worst).map((pairReport) => worstPair(pairReport, scene, pairs, terms)),
  };
}

/** The report as JSON text, in pieces: the worst pairs stand one a line. */
export function* verifyJson({ worst, ...header }: VerifyReport): Generator<string> {
  yield `${JSON.stringify(header, null, 2).slice(0, -2)},\n  "worst": [`;
  for (const [i, pair] of worst.entries()) yield `${i > 0 ? ',' : ''}\n    ${exactJson(pair)}`;
  yield `${worst.length > 0 ? '\n  ' : ''}]\n}\n`;
}
