/** Lists of pairs: in the order in which a search finds them, and sorted. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';

/** Numbers per block. */
const BLOCK = 2 ** 17;

/** Numbers, pairs or bodies per step of a sort. */
const AT_ONCE = 2 ** 10;

/** Takes the pairs that a search finds. */
export interface PairSink {
  /** Whether it takes no more, so that the search can end. */
  readonly isFull: boolean;
  add(a: number, b: number): void;
  /** Takes all pairs of two nodes' boxes at once, if it can, and if all of them overlap. */
  addAll?(a: number, b: number): boolean;
}

/** A list that grows by blocks, so that it is never copied. */
export class PairList implements PairSink {
  readonly #maxPairs: number;
  readonly #blocks: Uint32Array[] = [];
  #length = 0;
  #isFull = false;

  /** It is full when a pair more than `maxPairs` is added, and keeps only those before. */
  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(a: number, b: number): void {
    if (this.#length >= 2 * this.#maxPairs) {
      this.#isFull = true;
      return;
    }
    const at = this.#length % BLOCK;
    if (at === 0) this.#blocks.push(allocate('a block of pairs', Uint32Array, BLOCK));
    const block = this.#blocks[this.#blocks.length - 1];
    block[at] = Math.min(a, b);
    block[at + 1] = Math.max(a, b);
    this.#length += 2;
  }

  /** The list's numbers, block by block. */
  *parts(): Generator<Uint32Array> {
    for (const [i, block] of this.#blocks.entries()) yield block.subarray(0, this.#length - i * BLOCK);
  }
}

/** All pairs of a list, flat, sorted by a, then b: a counting sort by b, then one by a, which keeps the order. */
export function* sortPairs(list: PairList, bodyCount: number): Work<Uint32Array> {
  const isDue = createPace();
  const placesByB = yield* countPlaces(list, 1, bodyCount);
  const placesByA = yield* countPlaces(list, 0, bodyCount);
  // Each place moves up as pairs are put there, to where the pairs of the next body begin.
  const partners = allocate('partners of each body', Uint32Array, list.length / 2);
  for (const part of list.parts()) {
    for (let first = 0; first < part.length; first += AT_ONCE) {
      placePartners(part, first, Math.min(first + AT_ONCE, part.length), placesByB, partners);
      if (isDue(4 * AT_ONCE)) yield;
    }
  }
  const sorted = allocate('the pairs found', Uint32Array, list.length);
  for (let b = 0, first = 0; first < partners.length;) {
    while (placesByB[b] === first) b++;
    const end = Math.min(placesByB[b], first + AT_ONCE);
    placePairs(b, partners, first, end, placesByA, sorted);
    if (isDue(16 + 4 * (end - first))) yield;
    first = end;
  }
  return sorted;
}

/** For each body, how many pairs have a lower body in their first (`side` 0) or second place. */
function* countPlaces(list: PairList, side: 0 | 1, bodyCount: number): Work<Uint32Array> {
  const isDue = createPace();
  const places = allocate('places of the pairs of each body', Uint32Array, bodyCount + 1);
  for (const part of list.parts()) {
    for (let p = side; p < part.length; p += 2) places[part[p] + 1]++;
    if (isDue(part.length)) yield;
  }
  for (let first = 0; first < bodyCount; first += AT_ONCE) {
    for (let i = first; i < Math.min(first + AT_ONCE, bodyCount); i++) places[i + 1] += places[i];
    if (isDue(AT_ONCE)) yield;
  }
  return places;
}

function placePartners(
  part: Uint32Array,
  first: number,
  end: number,
  places: Uint32Array,
  partners: Uint32Array,
): void {
  for (let p = first; p < end; p += 2) partners[places[part[p + 1]]++] = part[p];
}

/** Puts pairs of body b, whose partners are in a range of `partners`, after those with the same a. */
function placePairs(
  b: number,
  partners: Uint32Array,
  first: number,
  end: number,
  places: Uint32Array,
  sorted: Uint32Array,
): void {
  for (let p = first; p < end; p++) {
    const to = 2 * places[partners[p]]++;
    sorted[to] = partners[p];
    sorted[to + 1] = b;
  }
}
