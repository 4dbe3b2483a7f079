/** The most that an adapter could do: bytes at its bandwidth, or instructions at its rate, whichever takes longer. */

import type { Peak } from './peaks.ts';
import type { Work } from './work.ts';

export interface Limit {
  /** Pairs per second. */
  rate: number;
  by: 'bytes' | 'operations';
}

/** By the least bytes and the instructions in lockstep; by bytes alone where instructions were not counted. */
export function limitOf({ leastBytes, counted }: Pick<Work, 'leastBytes' | 'counted'>, peak: Peak): Limit {
  const byBytes = peak.bandwidth / leastBytes;
  const byOperations = counted ? peak.instructions / counted.lockstep : Infinity;
  return byBytes <= byOperations ? { rate: byBytes, by: 'bytes' } : { rate: byOperations, by: 'operations' };
}
