/** Lists of pairs: in the order in which a search finds them, and sorted. */
import { allocate } from '../util/arrays.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { createPace, type Work } from '../util/turns.ts';

/** Numbers per block. */
const BLOCK = 2 ** 17;

/** Numbers, or bodies, per step of a sort. */
const AT_ONCE = 2 ** 10;

/** Up to this many partners are sorted by insertion, which is faster than a call of `sort`. */
const FEW = 32;

/** A list that grows by blocks, so that it is never copied. */
export class PairList {
  readonly #maxPairs: number;
  readonly #blocks: Uint32Array[] = [];
  #length = 0;

  /** Beyond `maxPairs` pairs `add` throws `LIMIT_EXCEEDED`. */
  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs;
  }

  get length(): number {
    return this.#length;
  }

  add(a: number, b: number): void {
    const at = this.#length % BLOCK;
    if (at === 0) this.#blocks.push(allocate('a block of pairs', Uint32Array, BLOCK));
    if (this.#length >= 2 * this.#maxPairs) {
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `the broad phase finds more than ${this.#maxPairs} pairs, expected at most that`,
      );
    }
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

/** All pairs of a list, flat, sorted by a, then b: one counting sort over a, then each body's partners. */
export function* sortPairs(list: PairList, bodyCount: number): Work<Uint32Array> {
  const isDue = createPace();
  const ends = allocate('ends of the pairs of each body', Uint32Array, bodyCount + 1);
  for (const part of list.parts()) {
    for (let p = 0; p < part.length; p += 2) ends[part[p] + 1]++;
    if (isDue(part.length)) yield;
  }
  for (let first = 0; first < bodyCount; first += AT_ONCE) {
    for (let a = first; a < Math.min(first + AT_ONCE, bodyCount); a++) ends[a + 1] += ends[a];
    if (isDue(AT_ONCE)) yield;
  }
  // Each end moves up as the partners of its body are placed, to where the next body's begin.
  const partners = allocate('partners of each body', Uint32Array, list.length / 2);
  for (const part of list.parts()) {
    for (let first = 0; first < part.length; first += AT_ONCE) {
      placePartners(part, first, Math.min(first + AT_ONCE, part.length), ends, partners);
      if (isDue(4 * AT_ONCE)) yield;
    }
  }
  const sorted = allocate('the pairs found', Uint32Array, list.length);
  for (let a = 0, first = 0; a < bodyCount; first = ends[a++]) {
    writeSorted(a, partners, first, ends[a], sorted);
    if (isDue(16 + 4 * (ends[a] - first))) yield;
  }
  return sorted;
}

function placePartners(part: Uint32Array, first: number, end: number, ends: Uint32Array, partners: Uint32Array): void {
  for (let p = first; p < end; p += 2) partners[ends[part[p]]++] = part[p + 1];
}

/** Writes the pairs of body a, whose partners are in a range of `partners`, in ascending order. */
function writeSorted(a: number, partners: Uint32Array, first: number, end: number, sorted: Uint32Array): void {
  if (end - first > FEW) partners.subarray(first, end).sort();
  else sortFew(partners, first, end);
  for (let p = first; p < end; p++) {
    sorted[2 * p] = a;
    sorted[2 * p + 1] = partners[p];
  }
}

/** Insertion sort. */
function sortFew(numbers: Uint32Array, first: number, end: number): void {
  for (let i = first + 1; i < end; i++) {
    const number = numbers[i];
    let to = i;
    for (; to > first && numbers[to - 1] > number; to--) numbers[to] = numbers[to - 1];
    numbers[to] = number;
  }
}
