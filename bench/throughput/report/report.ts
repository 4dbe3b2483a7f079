/** What the benchmark found, as bench.json has it. */

import type { SubjectResult } from '../run/case.ts';
import type { Curve } from '../run/curves.ts';
import { median } from '../../../verification/statistics/median.ts';
import type { Query } from '../../../verification/workloads/query.ts';
import type { Machine } from '../../machine.ts';

export interface CaseReport {
  name: string;
  workload: string;
  query: Query;
  /** Share of overlapping pairs, of impacts of those that meet, by the reference over the pairs compared. */
  hitRate: number;
  /** Pairs of the case; subjects may have run fewer. */
  pairs: number;
  subjects: SubjectResult[];
}

export interface EngineReport {
  name: string;
  runtime: string | null;
  adapter: string | null;
  /** Why it did not run. */
  unavailable: string | null;
}

export interface BenchReport {
  version: 1;
  /** Package and version that was measured. */
  generator: string;
  command: string;
  date: string;
  seconds: number;
  machine: Machine;
  pairs: number;
  rounds: number;
  seed: number;
  /** In the order of their preference for targets. */
  engines: EngineReport[];
  peers: { name: string; runtime: string | null; unavailable: string | null }[];
  cases: CaseReport[];
  curves: Curve[];
}

export interface Rates {
  /** Pairs a millisecond of each round. */
  rounds: number[];
  /** M pairs/s. */
  median: number;
}

/** Pairs a millisecond of each round. */
export function roundRates({ pairs, samples }: SubjectResult): number[] {
  return samples.map(({ ms }) => pairs / ms);
}

/** null: the subject has no timed run. */
export function ratesOf({ subjects }: CaseReport, id: string): Rates | null {
  const found = subjects.find((subject) => subject.id === id);
  if (!found || found.samples.length === 0) return null;
  const rounds = roundRates(found);
  return { rounds, median: median(rounds) / 1000 };
}
