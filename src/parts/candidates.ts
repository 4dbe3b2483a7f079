/** Growable lists of pairs of parts. */
import { allocate } from '../util/arrays.ts';

/** Pairs of parts that are to be answered, of consecutive pairs of bodies. */
export interface Candidates {
  count: number;
  /** The pair of bodies of each. */
  pairs: Uint32Array;
  partsA: Uint32Array;
  partsB: Uint32Array;
}

export function createCandidates(): Candidates {
  return { count: 0, pairs: new Uint32Array(0), partsA: new Uint32Array(0), partsB: new Uint32Array(0) };
}

export function addCandidate(list: Candidates, pair: number, partA: number, partB: number): void {
  if (list.count === list.pairs.length) grow(list);
  list.pairs[list.count] = pair;
  list.partsA[list.count] = partA;
  list.partsB[list.count] = partB;
  list.count++;
}

function grow(list: Candidates): void {
  const room = Math.max(2 * list.count, 256);
  for (const name of ['pairs', 'partsA', 'partsB'] as const) {
    const longer = allocate('pairs of parts', Uint32Array, room);
    longer.set(list[name]);
    list[name] = longer;
  }
}
