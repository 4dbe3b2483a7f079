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

/** Whether parts come before others in lists: by the part of A, then by that of B. */
export function comesBefore(partA: number, partB: number, otherA: number, otherB: number): boolean {
  return partA < otherA || (partA === otherA && partB < otherB);
}
