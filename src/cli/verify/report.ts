/**
 * The report of `narrowphase verify`: the comparison's inputs, its results, and the worst pairs in full. `--format
 * json` prints its JSON form.
 */

import type { Scene } from '../../scene/scene.ts';
import type { EngineFacts } from '../../../verification/engines/engine.ts';
import { exactJson } from '../exact-json.ts';
import type { Facts } from '../report/facts.ts';
import type { Comparison, CompareTimings } from './compare.ts';
import { FAULT_KINDS, FAULTS, QUANTITIES } from '../../../verification/judges/faults.ts';
import type { Quantity } from '../../../verification/judges/faults.ts';
import { binAt, occupiedBins } from '../../../verification/statistics/histogram.ts';
import type { Bin } from '../../../verification/statistics/histogram.ts';
import type { Terms } from '../../../verification/judges/contact.ts';
import { worstPair } from './suspect.ts';
import type { WorstPair } from './suspect.ts';
import { hasPassed } from '../../../verification/statistics/tally.ts';
import { worstItems } from '../../../verification/statistics/worst.ts';

/** Facts that are known before the comparison. */
export interface VerifyFacts {
  /** Version of the report's format. */
  version: 1;
  command: 'verify';
  /** Program and version that wrote the report. */
  generator: string;
  scene: Pick<Facts['scene'], 'file' | 'sha256' | 'name' | 'bodies' | 'pairs'> & { shapes: number };
  query: Facts['query'];
  /** `fallback`: why the CPU was taken although WebGPU was preferred; otherwise null. */
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

export interface VerifyReport extends VerifyFacts {
  /** Pairs that were queried and judged: all candidates. */
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
  facts: VerifyFacts,
  { tally, timings }: Comparison,
  earlier: Pick<VerifyReport['timings'], 'load' | 'pairs' | 'start'>,
  scene: Scene,
  pairs: Uint32Array,
  terms: Terms,
): VerifyReport {
  const { first, end } = occupiedBins(QUANTITIES.map((quantity) => tally.errors[quantity].histogram));
  const errorFacts = QUANTITIES.map((quantity): [Quantity, ErrorFacts] => {
    const { histogram, largest } = tally.errors[quantity];
    const measured = histogram.bins.reduce((sum, n) => sum + n, histogram.zeros);
    const bins = Array.from({ length: end - first }, (_, i) => binAt(histogram, first + i));
    return [quantity, { measured, largest, zeros: histogram.zeros, histogram: bins }];
  });
  return {
    ...facts,
    pairs: tally.pairs,
    passed: hasPassed(tally),
    faulty: tally.faulty,
    faults: FAULT_KINDS.filter((kind) => tally.faults[kind] > 0).map((kind) => ({
      kind,
      text: FAULTS[kind],
      pairs: tally.faults[kind],
    })),
    leftEarly: tally.leftEarly,
    unanswered: tally.unanswered,
    miscounts: tally.miscounts,
    errors: Object.fromEntries(errorFacts) as Record<Quantity, ErrorFacts>,
    timings: { ...earlier, ...timings },
    worst: worstItems(tally.worst).map((suspect) => worstPair(suspect, scene, pairs, terms)),
  };
}

/** The report as JSON text, in pieces: the worst pairs take one line each. */
export function* verifyJson({ worst, ...facts }: VerifyReport): Generator<string> {
  yield `${JSON.stringify(facts, null, 2).slice(0, -2)},\n  "worst": [`;
  for (const [i, pair] of worst.entries()) yield `${i > 0 ? ',' : ''}\n    ${exactJson(pair)}`;
  yield `${worst.length > 0 ? '\n  ' : ''}]\n}\n`;
}
