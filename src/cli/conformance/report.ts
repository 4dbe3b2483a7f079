/** The report of `narrowphase conformance`: what was asked, what each engine made of it. */

import type { Found } from '../engines/open.ts';
import type { EngineFacts } from '../engines/engine.ts';
import type { DistanceErrors } from './errors.ts';
import { TOLERANCE } from './errors.ts';
import type { Examination, Spent } from './examine.ts';
import { FAULT_NAMES, type Fault } from './judge.ts';
import type { Subject } from './subject.ts';
import type { FamilyTally } from './tally.ts';
import type { QueryName } from '../../pack/results.ts';

export interface ConformanceReport {
  /** Of the report's format. */
  version: 1;
  /** Program and version that wrote it. */
  generator: string;
  options: { pairs: number; judged: number; seed: number };
  /** As shares of max(s, |B - A|). */
  tolerance: typeof TOLERANCE;
  /** The double-precision reference, which pairs that the oracle did not judge are judged by. */
  reference: ReferenceReport;
  engines: EngineReport[];
  /** No engine has a fault or died, and the reference holds its own tolerance. */
  passed: boolean;
}

/** The reference against the oracle. */
export interface ReferenceReport {
  pairs: number;
  largestError: number;
  outside: number;
  wrongSigns: number;
  notConverged: number;
  families: { family: string; pairs: number; judged: number; largestError: number }[];
}

export interface EngineReport {
  name: EngineFacts['name'];
  /** Which one of several: the Vulkan driver, the kind of adapter. */
  detail: string;
  /** null where it is not available. */
  facts: EngineFacts | null;
  /** Why it is not available; null where it is. That is no failure. */
  unavailable: string | null;
  /** Why it died; null where it did not. */
  failure: string | null;
  /** Over all families. */
  pairs: number;
  judged: number;
  answers: number;
  /** null: not a number. */
  largestError: number | null;
  faults: Record<Fault, number>;
  notConverged: number;
  iterations: { mean: number; max: number };
  /** Milliseconds of the first call of `contacts`, compilation included. */
  firstCall: number | null;
  /** Milliseconds of compiling in all. */
  compile: number;
  /** Pairs a second of each query: in kernels, null where the device does not tell; and by the clock, compilation excluded. */
  speed: Record<QueryName, { kernels: number | null; calls: number | null }>;
  families: FamilyTally[];
}

export function makeReport(generator: string, options: ConformanceReport['options'], subjects: readonly Subject[], engines: EngineReport[]): ConformanceReport {
  const reference = referenceReport(subjects);
  const passed = reference.outside + reference.wrongSigns === 0 && engines.every((engine) => engine.failure === null && faultsOf(engine) === 0);
  return { version: 1, generator, options, tolerance: TOLERANCE, reference, engines, passed };
}

/** All faults together. */
export function faultsOf({ faults }: Pick<EngineReport, 'faults'>): number {
  return FAULT_NAMES.reduce((sum, name) => sum + faults[name], 0);
}

function referenceReport(subjects: readonly Subject[]): ReferenceReport {
  const total = (part: keyof DistanceErrors) => subjects.reduce((sum, { reference }) => sum + reference[part], 0);
  return {
    pairs: total('pairs'),
    largestError: Math.max(0, ...subjects.map(({ reference }) => reference.largest)),
    outside: total('outside'),
    wrongSigns: total('wrongSigns'),
    notConverged: total('notConverged'),
    families: subjects.map(({ family, pairs, judged, reference }) => ({ family: family.name, pairs, judged, largestError: reference.largest })),
  };
}

export function engineReport({ name, detail, ...found }: Found, examination: Examination | null): EngineReport {
  const { families = [], firstCall = null, failure = null, spent } = examination ?? {};
  const total = (value: (family: FamilyTally) => number) => families.reduce((sum, family) => sum + value(family), 0);
  const answers = total((family) => family.answers);
  const iterations = total((family) => family.iterations.mean * family.answers);
  return {
    name,
    detail,
    facts: 'engine' in found ? found.engine.facts : null,
    unavailable: 'reason' in found ? found.reason : null,
    failure,
    pairs: total(({ pairs }) => pairs),
    judged: total(({ judged }) => judged),
    answers,
    largestError: families.some(({ largestError }) => largestError === null) ? null : Math.max(0, ...families.map(({ largestError }) => largestError!)),
    faults: Object.fromEntries(FAULT_NAMES.map((fault) => [fault, total(({ faults }) => faults[fault])])) as Record<Fault, number>,
    notConverged: total(({ notConverged }) => notConverged),
    iterations: { mean: answers > 0 ? iterations / answers : 0, max: Math.max(0, ...families.map((family) => family.iterations.max)) },
    firstCall,
    compile: spent ? spent.intersects.compile + spent.distances.compile + spent.contacts.compile : 0,
    speed: { intersects: speedOf(spent?.intersects), distances: speedOf(spent?.distances), contacts: speedOf(spent?.contacts) },
    families,
  };
}

function speedOf(spent: Spent | undefined): { kernels: number | null; calls: number | null } {
  const perSecond = (milliseconds: number) => (spent && milliseconds > 0 ? Math.round((1000 * spent.pairs) / milliseconds) : null);
  return { kernels: perSecond(spent?.kernels ?? 0), calls: perSecond(spent ? spent.total - spent.compile : 0) };
}
