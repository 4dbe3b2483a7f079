/** The contact of two parts, by the reference. */
import type { PairResult } from '../cpu/queries/result.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import type { PartPlaces } from './part-geometry.ts';

/** Writes the contact of two parts of the bodies at the places, with points relative to A's position. Returns whether it is a hit. */
export type FindPartContact = (partA: number, partB: number, margin: number, to: PairResult) => boolean;

export function createPartContact(
  { leadStage, mprDepth }: Pick<PairOptions, 'leadStage' | 'mprDepth'>,
  places: PartPlaces,
): FindPartContact {
  const options: PairOptions = { margin: 0, leadStage, mprDepth };
  return (partA, partB, margin, to) => {
    options.margin = margin;
    places.geometry.contact(places, partA, partB, options, to);
    return to.hit;
  };
}
