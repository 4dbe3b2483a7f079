/** Growable lists of pairs of parts. */
import { allocate } from '../util/arrays.ts';

/** Pairs of parts that a backend answers, of consecutive pairs of bodies. */
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
  if (list.count === list.pairs.length) grow(list, 1);
  list.pairs[list.count] = pair;
  list.partsA[list.count] = partA;
  list.partsB[list.count] = partB;
  list.count++;
}

/** Adds several of one pair of bodies. */
export function addCandidates(list: Candidates, pair: number, partsA: Uint32Array, partsB: Uint32Array): void {
  const end = list.count + partsA.length;
  if (end > list.pairs.length) grow(list, partsA.length);
  list.pairs.fill(pair, list.count, end);
  list.partsA.set(partsA, list.count);
  list.partsB.set(partsB, list.count);
  list.count = end;
}

/** Makes room for at least so many more. */
function grow(list: Candidates, more: number): void {
  const room = Math.max(2 * list.count, list.count + more, 256);
  for (const name of ['pairs', 'partsA', 'partsB'] as const) {
    const longer = allocate('pairs of parts', Uint32Array, room);
    longer.set(list[name]);
    list[name] = longer;
  }
}
