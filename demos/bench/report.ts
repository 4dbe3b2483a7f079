/** What "Download JSON" gives. */

import { STANDARD } from '../../verification/gpu-cases/cases.ts';
import type { AdapterFacts, CaseResult } from './messages.ts';
import { BASE_PAIRS, ROUNDS, SEED } from './settings.ts';

export interface PageReport {
  version: 1;
  /** The package that was measured. */
  package: string;
  date: string;
  userAgent: string;
  backend: 'webgpu' | 'cpu';
  adapter: { name: string; isSoftware: boolean } | null;
  settings: { pairs: number; basePairs: number; rounds: number; seed: number; hitRate: number };
  cases: CaseResult[];
  failures: { name: string; reason: string }[];
}

/** A report without cases. `packageVersion`: undefined if it is not known. */
export function makeReport(
  packageVersion: string | undefined,
  adapter: AdapterFacts | null,
  pairs: number,
): PageReport {
  const backend = adapter ? 'webgpu' : 'cpu';
  return {
    version: 1,
    package: `narrowphase ${packageVersion ?? 'of unknown version'}`,
    date: new Date().toISOString(),
    userAgent: navigator.userAgent,
    backend,
    adapter: adapter && { name: adapter.name, isSoftware: adapter.isSoftware },
    settings: { pairs, basePairs: BASE_PAIRS[backend], rounds: ROUNDS, seed: SEED, hitRate: STANDARD.hitRate },
    cases: [],
    failures: [],
  };
}
