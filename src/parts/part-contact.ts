/** The contact of two parts, by the reference. */
import { movePoints } from '../cpu/parts/answer-parts.ts';
import { createPair } from '../cpu/pair.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import { contact } from '../cpu/queries/contacts.ts';
import type { PairResult } from '../cpu/queries/result.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';

/** Writes the contact of two parts of the bodies at the places, with points relative to A's position. Returns whether it is a hit. */
export type FindPartContact = (partA: number, partB: number, margin: number, to: PairResult) => boolean;

export function createPartContact(
  { leadStage, mprDepth }: Pick<PairOptions, 'leadStage' | 'mprDepth'>,
  { a, b, offset }: PairPlaces,
): FindPartContact {
  const placeA = createPartPlace();
  const placeB = createPartPlace();
  const pair = createPair();
  const options: PairOptions = { margin: 0, leadStage, mprDepth };
  return (partA, partB, margin, to) => {
    placePart(a, partA, true, placeA);
    placePart(b, partB, true, placeB);
    pairOfParts(placeA, placeB, offset, pair);
    options.margin = margin;
    contact(pair, placeA.shape, placeB.shape, options, to);
    if (!to.hit) return false;
    movePoints(to, placeA.offset);
    return true;
  };
}
