/** The campaign in pieces that a page answers one at a time. */

import type { Tester } from '../../../src/api/types.ts';
import {
  measureAreas,
  measureResting,
  measureSlivers,
  measureTouches,
} from '../../../verification/judges/manifold-promises.ts';
import { PARTNERS, type Partner } from '../../../verification/families/sliver-families.ts';

export type Piece = { seed: number; count: number } & (
  | { what: 'slivers'; partner: Partner; width: number }
  | { what: 'resting'; frames: number }
  | { what: 'areas' }
  | { what: 'touches'; frames: number }
);

/** What a piece found: how many of how many are wrong, what else there is to tell, and an example. */
export interface Found {
  name: string;
  total: number;
  wrong: number;
  facts: string;
  example: string;
}

export interface Sizes {
  pairs: number;
  arrangements: number;
  frames: number;
  contacts: number;
}

const WIDTHS = [1e-3, 1e-4, 1e-5, 1e-6];
/** So that no piece takes a browser minutes. */
const MOST_PAIRS = 5000;
const MOST_ARRANGEMENTS = 20;

export function piecesOf({ pairs, arrangements, frames, contacts }: Sizes, seed: number): Piece[] {
  const inPieces = (total: number, most: number): { seed: number; count: number }[] =>
    Array.from({ length: Math.ceil(total / most) }, (_, i) => ({
      seed: seed + i,
      count: Math.min(most, total - i * most),
    }));
  return [
    ...PARTNERS.flatMap((partner) =>
      WIDTHS.flatMap((width) =>
        inPieces(pairs, MOST_PAIRS).map((piece) => ({ ...piece, what: 'slivers' as const, partner, width })),
      ),
    ),
    ...inPieces(arrangements, MOST_ARRANGEMENTS).map((piece) => ({ ...piece, what: 'resting' as const, frames })),
    ...inPieces(contacts, MOST_PAIRS).map((piece) => ({ ...piece, what: 'areas' as const })),
    ...inPieces(Math.ceil(pairs / 10), MOST_PAIRS).map((piece) => ({ ...piece, what: 'touches' as const, frames: 20 })),
  ];
}

export async function measurePiece(tester: Tester, piece: Piece): Promise<Found> {
  const { seed, count } = piece;
  if (piece.what === 'slivers') {
    const { hits, points, wrongDepths, offSurfaces, beyond, notConverged, depthError, surfaceError, example } =
      await measureSlivers(tester, piece.partner, piece.width, count, seed);
    const errors = `errors of depths ${depthError.toFixed(2)} and of points ${surfaceError.toFixed(2)} of the tolerance`;
    const facts = `hits ${hits}, points ${points}, not converged ${notConverged}, ${errors}`;
    return {
      name: `slivers ${piece.width} wide, ${piece.partner}`,
      total: count,
      wrong: wrongDepths + offSurfaces + beyond,
      facts,
      example,
    };
  }
  if (piece.what === 'resting') {
    const { unsteady } = await measureResting(tester, count, piece.frames, seed);
    return {
      name: 'features that change under a tremble',
      total: count,
      wrong: unsteady.length,
      facts: `${piece.frames} frames each`,
      example: unsteady[0] ?? '',
    };
  }
  if (piece.what === 'areas') {
    const { contacts, crowded, below, least, example } = await measureAreas(tester, count, seed);
    return {
      name: 'areas below 0.99 of the widest',
      total: contacts,
      wrong: below,
      facts: `with more than four corners ${crowded}, least share ${least.toFixed(4)}`,
      example,
    };
  }
  const { hits, singles, alternating } = await measureTouches(tester, count, piece.frames, seed);
  return {
    name: 'lone points that change their kind',
    total: singles,
    wrong: alternating.length,
    facts: `of ${hits} hits`,
    example: alternating[0] ?? '',
  };
}
