/** The algorithms that are compared, and how one pair is asked and many are timed. */
import type { LeadStage } from '../../../src/request/backend.ts';
import { STATUS_OVERLAPPING, STATUS_SEPARATED } from '../../../src/generated/constants.ts';
import { contact } from '../../../src/cpu/queries/contacts.ts';
import { createPairResult } from '../../../src/cpu/queries/result.ts';
import type { Algorithm, MprDepth } from '../../../src/api/types.ts';
import type { Scene } from './scene.ts';
import { options } from './options.ts';

export interface Way {
  name: string;
  leadStage: LeadStage;
  algorithm: Algorithm;
  mprDepth?: MprDepth;
}

export const SAT: Way = { name: 'SAT', leadStage: 'sat', algorithm: 'sat' };
export const WAYS: Way[] = [
  { name: 'GJK + EPA', leadStage: 'none', algorithm: 'gjk' },
  { name: "MPR, 'ray'", leadStage: 'mpr', algorithm: 'mpr', mprDepth: 'ray' },
  { name: "MPR, 'normal'", leadStage: 'mpr', algorithm: 'mpr', mprDepth: 'normal' },
];

/**
 * Microseconds per pair of each run's fastest repeat. The runs take turns, so that other load on the machine affects all
 * of them; the first turn compiles.
 */
export function clock(pairs: number, runs: readonly (() => void)[]): number[] {
  const least = runs.map(() => Infinity);
  for (let repeat = 0; repeat <= options.repeats; repeat++) {
    runs.forEach((run, i) => {
      const start = performance.now();
      run();
      if (repeat > 0) least[i] = Math.min(least[i], performance.now() - start);
    });
  }
  return least.map((milliseconds) => (1e3 * milliseconds) / pairs);
}

/** Whether a status is not that of the expected distance, which is beyond doubt. */
export function isWrong(status: number, expected: number, tolerance: number): boolean {
  return !(Math.abs(expected) <= tolerance) && status !== (expected <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED);
}

const answer = createPairResult();

/** Contacts of one pair. The next call writes the same result. */
export function askContact(scene: Scene, { leadStage, mprDepth }: Way, index: number, margin = 0): typeof answer {
  const query = { margin, leadStage, mprDepth };
  return contact(scene.place(index), scene.shapeA(index), scene.shapeB(index), query, answer);
}
