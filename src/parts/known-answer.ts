/** An answer for two bodies, and the two parts that give it. */
import { copy } from '../cpu/math.ts';
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

/** Parts have numbers below this. */
const PART_NUMBERS = 2 ** 26;

/** A number that names two parts. */
export function keyOfParts(partA: number, partB: number): number {
  return partA * PART_NUMBERS + partB;
}

/** Copies the result of an impact. */
export function copyImpact(from: PairResult, to: PairResult): void {
  to.status = from.status;
  to.hit = from.hit;
  to.iterations = from.iterations;
  to.hasPoints = from.hasPoints;
  to.unclampedTime = from.unclampedTime;
  copy(from.normal, to.normal);
  copy(from.pointA, to.pointA);
}

/** Copies the result of a contact. */
export function copyContact(from: PairResult, to: PairResult): void {
  to.status = from.status;
  to.hit = from.hit;
  to.iterations = from.iterations;
  to.hasPoints = from.hasPoints;
  to.distance = from.distance;
  to.lower = from.lower;
  to.upper = from.upper;
  to.featureA = from.featureA;
  to.featureB = from.featureB;
  copy(from.normal, to.normal);
  copy(from.pointA, to.pointA);
  copy(from.pointB, to.pointB);
}
