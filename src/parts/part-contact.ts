/** The contact of two parts, by the reference. */
import { movePoints } from '../cpu/parts/answer-parts.ts';
import { createPair } from '../cpu/pair.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import { contact } from '../cpu/queries/contacts.ts';
import type { PairResult } from '../cpu/queries/result.ts';
import type { QueryRequest } from '../request/backend.ts';

/** Writes the contact of two parts of the bodies at the places, with points relative to A's position. Returns whether it is a hit. */
export type FindPartContact = (partA: number, partB: number, margin: number, to: PairResult) => boolean;

export function createPartContact(
  { leadStage, mprDepth }: Pick<QueryRequest, 'leadStage' | 'mprDepth'>,
  { a, b, offset }: PairPlaces,
): FindPartContact {
  const placeA = createPartPlace();
  const placeB = createPartPlace();
  const pair = createPair();
  return (partA, partB, margin, to) => {
    placePart(a, partA, true, placeA);
    placePart(b, partB, true, placeB);
    pairOfParts(placeA, placeB, offset, pair);
    contact(pair, placeA.shape, placeB.shape, margin, leadStage, to, undefined, mprDepth);
    if (!to.hit) return false;
    movePoints(to, placeA.offset);
    return true;
  };
}
