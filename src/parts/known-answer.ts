/** An answer for two bodies, and the two parts that give it. */
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';

export interface KnownAnswer {
  result: PairResult;
  partA: number;
  partB: number;
  /** Whether the normal of an impact is that of a triangle, as the surface of a mesh has it. */
  hasNormal: boolean;
}

export function createKnownAnswer(): KnownAnswer {
  return { result: createPairResult(), partA: 0, partB: 0, hasNormal: false };
}

/** Whether parts come before others in lists: by the part of A, then by that of B. */
export function comesBefore(partA: number, partB: number, otherA: number, otherB: number): boolean {
  return partA < otherA || (partA === otherA && partB < otherB);
}
