/**
 * Broad phase by sweep and prune (Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", 1995): boxes are sorted by their lower
 * ends along the axis on which their centres vary most, and each is tested against those that begin before it ends.
 *
 * One sorted axis alone tests every box against a whole slab of the scene. So the second axis is cut into strips first,
 * a box goes into each strip it reaches, and the sweep runs within a strip. A pair that shares several strips is
 * reported by the first of them only.
 *
 * Half-spaces have no box. There are few of them, so each is held against all boxes.
 */

import { NarrowphaseError } from '../errors.ts';

/** Strips are this many times the mean box long on the second axis: wide enough that few boxes reach into two. */
const STRIP_WIDTH = 4;
/** More strips than this gain nothing, and a box as long as the scene is entered into each of them. */
const MAX_STRIPS = 256;

/** A body that is a half-space, in the world. */
export interface WorldHalfspace {
  body: number;
  /** x, y, z. */
  position: readonly number[];
  /** Outward unit vector. */
  normal: readonly number[];
  /** Of the plane from the position, along the normal. */
  offset: number;
  /** A box counts as met up to this share of its centre's distance from the position above the plane. */
  slack: number;
}

/**
 * All pairs of bodies whose boxes overlap or touch, and of half-spaces and boxes that they meet; flat, each once, a < b, sorted
 * by a and then b. `boxes`: 6n numbers, min x, y, z, max x, y, z each; those of `halfspaces` are not looked at. Two
 * half-spaces are no pair. Throws `LIMIT_EXCEEDED` beyond `maxPairs` pairs.
 */
export function findPairs(boxes: Float64Array, halfspaces: readonly WorldHalfspace[], maxPairs: number): Uint32Array {
  if (halfspaces.length === 0) return sweepAndPrune(boxes, maxPairs);
  const isHalfspace = new Set(halfspaces.map(({ body }) => body));
  const bounded = Uint32Array.from({ length: boxes.length / 6 }, (_, body) => body).filter((body) => !isHalfspace.has(body));
  const kept = new Float64Array(6 * bounded.length);
  bounded.forEach((body, i) => kept.set(boxes.subarray(6 * body, 6 * body + 6), 6 * i));
  const found = new PairList(maxPairs);
  const swept = sweepAndPrune(kept, maxPairs);
  for (let p = 0; p < swept.length; p += 2) found.add(bounded[swept[p]], bounded[swept[p + 1]]);
  for (const halfspace of halfspaces) {
    for (const body of bounded) if (meets(halfspace, boxes, 6 * body)) found.add(halfspace.body, body);
  }
  return sortPairs(found.pairs(), boxes.length / 6);
}

/** Whether the lowest corner of the box at `at` is in the half-space, or as good as. */
function meets({ position, normal, offset, slack }: WorldHalfspace, boxes: Float64Array, at: number): boolean {
  let lowest = 0;
  let squared = 0;
  let rounding = 0;
  for (let k = 0; k < 3; k++) {
    const corner = normal[k] > 0 ? boxes[at + k] : boxes[at + 3 + k];
    lowest += normal[k] * (corner - position[k]);
    squared += ((boxes[at + k] + boxes[at + 3 + k]) / 2 - position[k]) ** 2;
    rounding += 2 ** -50 * (Math.abs(corner) + Math.abs(position[k]));
  }
  return lowest <= offset + slack * Math.sqrt(squared) + rounding;
}

/**
 * All pairs of boxes that overlap or touch, flat, each once, a < b, sorted by a and then b.
 * `boxes`: 6n numbers, min x, y, z, max x, y, z each. Throws `LIMIT_EXCEEDED` beyond `maxPairs` pairs.
 */
export function sweepAndPrune(boxes: Float64Array, maxPairs: number): Uint32Array {
  const [first, second, third] = axesByVariance(boxes);
  const found = new PairList(maxPairs);
  const strips = cutIntoStrips(boxes, second);
  for (let s = 0; s < strips.members.length; s++) sweep(boxes, strips, s, first, second, third, found);
  return sortPairs(found.pairs(), boxes.length / 6);
}

interface Strips {
  /** Boxes of each strip. */
  members: Uint32Array[];
  /** The strip of a coordinate on the second axis. */
  of(coordinate: number): number;
}

function cutIntoStrips(boxes: Float64Array, axis: number): Strips {
  const n = boxes.length / 6;
  let low = Infinity;
  let high = -Infinity;
  let total = 0;
  for (let i = 0; i < boxes.length; i += 6) {
    low = Math.min(low, boxes[i + axis]);
    high = Math.max(high, boxes[i + axis]);
    total += boxes[i + 3 + axis] - boxes[i + axis];
  }
  const width = Math.max((STRIP_WIDTH * total) / n, (high - low) / MAX_STRIPS);
  const count = width > 0 ? Math.min(MAX_STRIPS, Math.floor((high - low) / width) + 1) : 1;
  const of = (coordinate: number): number =>
    count === 1 ? 0 : Math.min(count - 1, Math.max(0, Math.floor((coordinate - low) / width)));

  const sizes = new Uint32Array(count);
  for (let i = 0; i < boxes.length; i += 6) {
    for (let s = of(boxes[i + axis]); s <= of(boxes[i + 3 + axis]); s++) sizes[s]++;
  }
  const members = Array.from(sizes, (size) => new Uint32Array(size));
  sizes.fill(0);
  for (let i = 0; i < n; i++) {
    for (let s = of(boxes[6 * i + axis]); s <= of(boxes[6 * i + 3 + axis]); s++) members[s][sizes[s]++] = i;
  }
  return { members, of };
}

function sweep(
  boxes: Float64Array,
  strips: Strips,
  strip: number,
  first: number,
  second: number,
  third: number,
  found: PairList,
): void {
  const order = strips.members[strip].sort((i, j) => boxes[6 * i + first] - boxes[6 * j + first]);
  const n = order.length;
  // The sweep's own copies, in its order: the inner loop then reads memory from front to back.
  const low1 = new Float64Array(n);
  const low2 = new Float64Array(n);
  const high2 = new Float64Array(n);
  const low3 = new Float64Array(n);
  const high3 = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const box = 6 * order[k];
    low1[k] = boxes[box + first];
    low2[k] = boxes[box + second];
    high2[k] = boxes[box + 3 + second];
    low3[k] = boxes[box + third];
    high3[k] = boxes[box + 3 + third];
  }
  for (let i = 0; i < n; i++) {
    const end = boxes[6 * order[i] + 3 + first];
    for (let j = i + 1; j < n && low1[j] <= end; j++) {
      if (low2[j] > high2[i] || low2[i] > high2[j] || low3[j] > high3[i] || low3[i] > high3[j]) continue;
      if (strips.of(Math.max(low2[i], low2[j])) === strip) found.add(order[i], order[j]);
    }
  }
}

/** The axes 0, 1, 2 in descending order of the variance of the boxes' centres. */
function axesByVariance(boxes: Float64Array): number[] {
  const n = boxes.length / 6;
  const variance = [0, 1, 2].map((axis) => {
    let mean = 0;
    for (let i = axis; i < boxes.length; i += 6) mean += (boxes[i] + boxes[i + 3]) / 2 / n;
    let sum = 0;
    for (let i = axis; i < boxes.length; i += 6) sum += ((boxes[i] + boxes[i + 3]) / 2 - mean) ** 2;
    return sum;
  });
  return [0, 1, 2].sort((a, b) => variance[b] - variance[a]);
}

/** A growing flat list of pairs. */
class PairList {
  readonly #maxPairs: number;
  #pairs: Uint32Array<ArrayBuffer>;
  #length = 0;

  constructor(maxPairs: number) {
    this.#maxPairs = maxPairs;
    this.#pairs = new Uint32Array(2 * Math.min(maxPairs, 2048));
  }

  add(a: number, b: number): void {
    if (this.#length === this.#pairs.length) this.#grow();
    this.#pairs[this.#length++] = Math.min(a, b);
    this.#pairs[this.#length++] = Math.max(a, b);
  }

  pairs(): Uint32Array {
    return this.#pairs.subarray(0, this.#length);
  }

  #grow(): void {
    if (this.#length >= 2 * this.#maxPairs) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `the broad phase finds more than ${this.#maxPairs} pairs, expected at most that`);
    }
    const grown = new Uint32Array(Math.min(2 * this.#length, 2 * this.#maxPairs));
    grown.set(this.#pairs);
    this.#pairs = grown;
  }
}

/** Sorts by a, then b: one counting sort over a, then each body's partners. */
function sortPairs(pairs: Uint32Array, bodyCount: number): Uint32Array {
  const ends = new Uint32Array(bodyCount + 1);
  for (let p = 0; p < pairs.length; p += 2) ends[pairs[p] + 1]++;
  for (let a = 0; a < bodyCount; a++) ends[a + 1] += ends[a];
  const starts = ends.slice(0, bodyCount);
  const partners = new Uint32Array(pairs.length / 2);
  for (let p = 0; p < pairs.length; p += 2) partners[starts[pairs[p]]++] = pairs[p + 1];
  const sorted = new Uint32Array(pairs.length);
  for (let a = 0; a < bodyCount; a++) {
    partners.subarray(ends[a], ends[a + 1]).sort();
    for (let p = ends[a]; p < ends[a + 1]; p++) {
      sorted[2 * p] = a;
      sorted[2 * p + 1] = partners[p];
    }
  }
  return sorted;
}
