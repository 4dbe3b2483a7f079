/** Splits the campaign into chunks, which a page measures one at a time. */

import type { Tester } from '../../../src/api/types.ts';
import {
  measureAreas,
  measureResting,
  measureSlivers,
  measureTouches,
} from '../../../verification/judges/manifold-promises.ts';
import { PARTNERS, type Partner } from '../../../verification/families/sliver-families.ts';

export type Chunk = { seed: number; count: number } & (
  | { what: 'slivers'; partner: Partner; width: number }
  | { what: 'resting'; frames: number }
  | { what: 'areas' }
  | { what: 'touches'; frames: number }
);

/** The result of a chunk: number of cases and of wrong ones, further figures, and an example. */
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
/** Limits of a chunk, so that it takes a browser less than a minute. */
const MOST_PAIRS = 5000;
const MOST_ARRANGEMENTS = 20;

export function chunksOf({ pairs, arrangements, frames, contacts }: Sizes, seed: number): Chunk[] {
  const inChunks = (total: number, most: number): { seed: number; count: number }[] =>
    Array.from({ length: Math.ceil(total / most) }, (_, i) => ({
      seed: seed + i,
      count: Math.min(most, total - i * most),
    }));
  return [
    ...PARTNERS.flatMap((partner) =>
      WIDTHS.flatMap((width) =>
        inChunks(pairs, MOST_PAIRS).map((chunk) => ({ ...chunk, what: 'slivers' as const, partner, width })),
      ),
    ),
    ...inChunks(arrangements, MOST_ARRANGEMENTS).map((chunk) => ({ ...chunk, what: 'resting' as const, frames })),
    ...inChunks(contacts, MOST_PAIRS).map((chunk) => ({ ...chunk, what: 'areas' as const })),
    ...inChunks(Math.ceil(pairs / 10), MOST_PAIRS).map((chunk) => ({ ...chunk, what: 'touches' as const, frames: 20 })),
  ];
}

export async function measureChunk(tester: Tester, chunk: Chunk): Promise<Found> {
  const { seed, count } = chunk;
  if (chunk.what === 'slivers') {
    const { hits, points, wrongDepths, offSurfaces, beyond, notConverged, depthError, surfaceError, example } =
      await measureSlivers(tester, chunk.partner, chunk.width, count, seed);
    const errors = `errors of depths ${depthError.toFixed(2)} and of points ${surfaceError.toFixed(2)} of the tolerance`;
    const facts = `hits ${hits}, points ${points}, not converged ${notConverged}, ${errors}`;
    return {
      name: `slivers ${chunk.width} wide, ${chunk.partner}`,
      total: count,
      wrong: wrongDepths + offSurfaces + beyond,
      facts,
      example,
    };
  }
  if (chunk.what === 'resting') {
    const { unsteady } = await measureResting(tester, count, chunk.frames, seed);
    return {
      name: 'features that change under a tremble',
      total: count,
      wrong: unsteady.length,
      facts: `${chunk.frames} frames each`,
      example: unsteady[0] ?? '',
    };
  }
  if (chunk.what === 'areas') {
    const { contacts, crowded, below, least, example } = await measureAreas(tester, count, seed);
    return {
      name: 'areas below 0.99 of the widest',
      total: contacts,
      wrong: below,
      facts: `with more than four corners ${crowded}, least share ${least.toFixed(4)}`,
      example,
    };
  }
  const { hits, singles, alternating } = await measureTouches(tester, count, chunk.frames, seed);
  return {
    name: 'lone points that change their kind',
    total: singles,
    wrong: alternating.length,
    facts: `of ${hits} hits`,
    example: alternating[0] ?? '',
  };
}
