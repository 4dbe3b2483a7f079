/** What the runs of a kernel's segments come to. */

import type { Segment } from './segments.ts';

/** Invocations that take every step together. */
const GROUP = 32;

/** Of one dispatch, or of all dispatches of a query, per pair. */
export interface StageCount {
  /** Instructions of each invocation for itself. */
  alone: number;
  /** The same where each segment takes groups of 32 as long as it takes the one that runs it most often. */
  lockstep: number;
  /** Loaded from storage buffers and stored there. */
  bytes: number;
}

/** `runs` has a number of each segment, invocation after invocation. */
export function countOf(runs: Uint32Array, segments: readonly Segment[], pairs: number): StageCount {
  const invocations = runs.length / segments.length;
  const sum: StageCount = { alone: 0, lockstep: 0, bytes: 0 };
  for (const [s, { operations, bytes }] of segments.entries()) {
    for (let first = 0; first < invocations; first += GROUP) {
      let greatest = 0;
      let all = 0;
      for (let i = first; i < Math.min(first + GROUP, invocations); i++) {
        const count = runs[segments.length * i + s];
        greatest = Math.max(greatest, count);
        all += count;
      }
      sum.alone += operations * all;
      sum.lockstep += operations * GROUP * greatest;
      sum.bytes += bytes * all;
    }
  }
  return { alone: sum.alone / pairs, lockstep: sum.lockstep / pairs, bytes: sum.bytes / pairs };
}

export function sumOf(counts: readonly StageCount[]): StageCount {
  const sum = (of: keyof StageCount): number => counts.reduce((total, count) => total + count[of], 0);
  return { alone: sum('alone'), lockstep: sum('lockstep'), bytes: sum('bytes') };
}
