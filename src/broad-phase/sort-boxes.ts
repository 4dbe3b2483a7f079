/** Sorts boxes by one of their coordinates: a merge sort that yields as it runs. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';

/** Boxes per run; a run is sorted by one call of `sort`. */
const RUN = 2 ** 11;
/** Steps counted per box of a run. */
const STEPS_OF_RUN = 16;

/** Sorts the box numbers in `order` by ascending `boxes[6 * number + word]`. Overwrites `order`. */
export function* sortBoxes(order: Uint32Array, boxes: Float64Array, word: number): Work<Uint32Array> {
  const isDue = createPace();
  const count = order.length;
  for (let first = 0; first < count; first += RUN) {
    order.subarray(first, first + RUN).sort((i, j) => boxes[6 * i + word] - boxes[6 * j + word]);
    if (isDue(STEPS_OF_RUN * RUN)) yield;
  }
  let from = order;
  let to = count > RUN ? allocate('sorted boxes', Uint32Array, count) : order;
  for (let length = RUN; length < count; length *= 2) {
    for (let first = 0; first < count; first += 2 * length) {
      const middle = Math.min(first + length, count);
      const end = Math.min(first + 2 * length, count);
      for (let at = first, left = first, right = middle; at < end; at++) {
        const takesLeft =
          right >= end || (left < middle && boxes[6 * from[left] + word] <= boxes[6 * from[right] + word]);
        to[at] = takesLeft ? from[left++] : from[right++];
        if (isDue(1)) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
