/** An answer for two bodies, and the two parts that give it. */
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';

export interface KnownAnswer {
  result: PairResult;
  partA: number;
  partB: number;
}

export function createKnownAnswer(): KnownAnswer {
  return { result: createPairResult(), partA: 0, partB: 0 };
}
