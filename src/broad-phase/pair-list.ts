/** Lists of pairs: in the order in which the sweep finds them, and sorted. */
import { allocate } from '../util/arrays.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { createPace, type Work } from '../util/turns.ts';

/** Numbers per block. */
const BLOCK = 2 ** 17;

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
  for (let a = 0; a < bodyCount; a++) {
    ends[a + 1] += ends[a];
    if (isDue(1)) yield;
  }
  const starts = allocate('starts of the pairs of each body', Uint32Array, bodyCount);
  starts.set(ends.subarray(0, bodyCount));
  const partners = allocate('partners of each body', Uint32Array, list.length / 2);
  for (const part of list.parts()) {
    for (let p = 0; p < part.length; p += 2) partners[starts[part[p]]++] = part[p + 1];
    if (isDue(part.length)) yield;
  }
  const sorted = allocate('the pairs found', Uint32Array, list.length);
  for (let a = 0; a < bodyCount; a++) {
    partners.subarray(ends[a], ends[a + 1]).sort();
    for (let p = ends[a]; p < ends[a + 1]; p++) {
      sorted[2 * p] = a;
      sorted[2 * p + 1] = partners[p];
    }
    if (isDue(16 + ends[a + 1] - ends[a])) yield;
  }
  return sorted;
}
