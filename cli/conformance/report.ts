/** The report of `narrowphase conformance`: the questions, and each engine's results. */

import type { CommandQuery } from '../../verification/engines/engine.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { EngineFacts } from '../../verification/engines/engine.ts';
import type { FoundEngine } from '../open-engine.ts';
import { FAULT_KINDS, type FaultKind } from '../../verification/judges/faults.ts';
import type { DistanceErrors } from '../../verification/statistics/distance-errors.ts';
import type { Examination, Spent } from './examine.ts';
import type { JudgedFamily } from './judged-family.ts';
import type { FamilyStatistics } from './family-statistics.ts';

export interface ConformanceReport {
  /** Version of the report's format. */
  version: 1;
  /** Program and version that wrote the report. */
  generator: string;
  options: { pairs: number; judged: number; seed: number; families?: readonly string[] };
  /** As shares of max(s, |B - A|). */
  tolerance: typeof TOLERANCE;
  /** The double-precision reference. It judges the pairs that the oracle did not. */
  reference: ReferenceReport;
  engines: EngineReport[];
  /**
   * True if no engine has a fault, left a known pair unanswered, or died, and the reference answers all pairs within
   * its own tolerance.
   */
  passed: boolean;
}

/** The reference compared with the oracle. */
export interface ReferenceReport {
  pairs: number;
  largestError: number;
  outside: number;
  wrongSigns: number;
  /** Pairs without an answer, out of all pairs. The oracle has answers for these. */
  unanswered: number;
  families: { family: string; pairs: number; judged: number; largestError: number }[];
}

export interface EngineReport {
  name: EngineFacts['name'];
  /** Which one of several engines of this name: the Vulkan driver, or the kind of adapter. */
  detail: string;
  /** null if the engine is not available. */
  facts: EngineFacts | null;
  /** Why the engine is not available; null if it is. An unavailable engine is not a failure. */
  unavailable: string | null;
  /** Why the engine died; null if it did not. */
  failure: string | null;
  /** Pairs of all families. */
  pairs: number;
  judged: number;
  answers: number;
  /**
   * |distance - truth| over max(s, |B - A|), rounding of results included. The first is over all pairs, the second over
   * those that the oracle judged. null stands for NaN.
   */
  largestError: number | null;
  largestErrorByOracle: number | null;
  /** Answers with faults, in all and by kind. One answer may have several. */
  faulty: number;
  faults: Record<FaultKind, number>;
  /** Missing answers to pairs for which the oracle or the reference has one. */
  unanswered: number;
  /** Calls whose status counts don't match their pairs, and a description of the first one. */
  miscounts: { calls: number; first: string | null };
  iterations: { mean: number; max: number };
  /** Milliseconds of the first call of `contacts`, compilation included. */
  firstCall: number | null;
  /** Milliseconds of compilation in all. */
  compile: number;
  /**
   * Pairs per second of each query: in kernels, null if the device can't measure that; and by the clock, without
   * compilation.
   */
  speed: Record<CommandQuery, { kernels: number | null; calls: number | null }>;
  families: FamilyStatistics[];
}

export function makeReport(
  generator: string,
  options: ConformanceReport['options'],
  judgedFamilies: readonly JudgedFamily[],
  engines: EngineReport[],
): ConformanceReport {
  const reference = referenceReport(judgedFamilies);
  const passed = reference.outside + reference.wrongSigns + reference.unanswered === 0 && engines.every(hasPassed);
  return { version: 1, generator, options, tolerance: TOLERANCE, reference, engines, passed };
}

/** An unavailable engine counts as passed. */
function hasPassed({ failure, faulty, unanswered, miscounts }: EngineReport): boolean {
  return failure === null && faulty === 0 && unanswered === 0 && miscounts.calls === 0;
}

function referenceReport(judgedFamilies: readonly JudgedFamily[]): ReferenceReport {
  const total = (part: keyof DistanceErrors) => judgedFamilies.reduce((sum, { errors }) => sum + errors[part], 0);
  return {
    pairs: total('pairs'),
    largestError: judgedFamilies.reduce((largest, { errors }) => Math.max(largest, errors.largest), 0),
    outside: total('outside'),
    wrongSigns: total('wrongSigns'),
    unanswered: judgedFamilies.reduce((sum, { unanswered }) => sum + unanswered, 0),
    families: judgedFamilies.map(({ family, pairs, judged, errors }) => ({
      family: family.name,
      pairs,
      judged,
      largestError: errors.largest,
    })),
  };
}

export function engineReport({ name, detail, ...found }: FoundEngine, examination: Examination | null): EngineReport {
  const { families = [], firstCall = null, failure = null, compile = 0, spent } = examination ?? {};
  const total = (value: (family: FamilyStatistics) => number) =>
    families.reduce((sum, family) => sum + value(family), 0);
  const most = (value: (family: FamilyStatistics) => number) =>
    families.reduce((largest, family) => Math.max(largest, value(family)), 0);
  const largest = (part: 'largestError' | 'largestErrorByOracle') =>
    families.some((family) => family[part] === null) ? null : most((family) => family[part]!);
  const iterated = total(({ iterations }) => iterations.answers);
  return {
    name,
    detail,
    facts: 'engine' in found ? found.engine.facts : null,
    unavailable: 'reason' in found ? found.reason : null,
    failure,
    pairs: total(({ pairs }) => pairs),
    judged: total(({ judged }) => judged),
    answers: total(({ answers }) => answers),
    largestError: largest('largestError'),
    largestErrorByOracle: largest('largestErrorByOracle'),
    faulty: total(({ faulty }) => faulty),
    faults: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, total(({ faults }) => faults[kind])])) as Record<
      FaultKind,
      number
    >,
    unanswered: total(({ unanswered }) => unanswered.engine),
    miscounts: {
      calls: total(({ miscounts }) => miscounts.calls),
      first: families.find(({ miscounts }) => miscounts.first !== null)?.miscounts.first ?? null,
    },
    iterations: {
      mean: iterated > 0 ? total(({ iterations }) => iterations.sum) / iterated : 0,
      max: most(({ iterations }) => iterations.max),
    },
    firstCall,
    compile,
    speed: {
      intersects: speedOf(spent?.intersects),
      distances: speedOf(spent?.distances),
      contacts: speedOf(spent?.contacts),
    },
    families,
  };
}

function speedOf(spent: Spent | undefined): { kernels: number | null; calls: number | null } {
  const perSecond = (milliseconds: number) =>
    spent && milliseconds > 0 ? Math.round((1000 * spent.pairs) / milliseconds) : null;
  return { kernels: perSecond(spent?.kernels ?? 0), calls: perSecond(spent ? spent.total - spent.compile : 0) };
}
