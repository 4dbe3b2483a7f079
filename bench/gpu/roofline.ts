/** The most that an adapter could do: bytes at its bandwidth, or instructions at its rate, whichever takes longer. */

import type { Peak } from './peaks.ts';
import type { Work } from './work.ts';

export interface Limit {
  /** Pairs a second. */
  rate: number;
  by: 'bytes' | 'operations';
}

/** By the least bytes and the instructions in lockstep. */
export function limitOf({ bytes, operations }: Pick<Work, 'bytes' | 'operations'>, peak: Peak): Limit {
  const byBytes = peak.bandwidth / bytes.least;
  const byOperations = peak.instructions / operations.lockstep;
  return byBytes <= byOperations ? { rate: byBytes, by: 'bytes' } : { rate: byOperations, by: 'operations' };
}
