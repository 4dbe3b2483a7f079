/** Pairs of parts that wait for their contacts, in a heap: the one that can be deepest comes first. */
import { allocate } from '../util/arrays.ts';
import { comesBefore } from './known-answer.ts';

/** Pairs of parts, the one with the greatest bound first; of equal ones, the lowest parts. */
export interface DepthHeap {
  count: number;
  bounds: Float64Array;
  partsA: Uint32Array;
  partsB: Uint32Array;
}

export function createHeap(): DepthHeap {
  return { count: 0, bounds: new Float64Array(0), partsA: new Uint32Array(0), partsB: new Uint32Array(0) };
}

function grow(heap: DepthHeap): void {
  const room = Math.max(2 * heap.count, 64);
  const { bounds, partsA, partsB } = heap;
  heap.bounds = allocate('pairs of parts', Float64Array, room);
  heap.partsA = allocate('pairs of parts', Uint32Array, room);
  heap.partsB = allocate('pairs of parts', Uint32Array, room);
  heap.bounds.set(bounds);
  heap.partsA.set(partsA);
  heap.partsB.set(partsB);
}

/** Whether a pair of parts comes before the one at a place. */
function isBefore(
  { bounds, partsA, partsB }: DepthHeap,
  bound: number,
  partA: number,
  partB: number,
  at: number,
): boolean {
  if (bound !== bounds[at]) return bound > bounds[at];
  return comesBefore(partA, partB, partsA[at], partsB[at]);
}

function put({ bounds, partsA, partsB }: DepthHeap, at: number, bound: number, partA: number, partB: number): void {
  bounds[at] = bound;
  partsA[at] = partA;
  partsB[at] = partB;
}

export function pushPair(heap: DepthHeap, bound: number, partA: number, partB: number): void {
  if (heap.count === heap.bounds.length) grow(heap);
  const { bounds, partsA, partsB } = heap;
  let at = heap.count++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap, bound, partA, partB, parent)) break;
    put(heap, at, bounds[parent], partsA[parent], partsB[parent]);
    at = parent;
  }
  put(heap, at, bound, partA, partB);
}

/** Removes the first pair. */
export function popPair(heap: DepthHeap): void {
  const { bounds, partsA, partsB } = heap;
  const last = --heap.count;
  const bound = bounds[last];
  const partA = partsA[last];
  const partB = partsB[last];
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= last) break;
    const right = child + 1;
    if (right < last && isBefore(heap, bounds[right], partsA[right], partsB[right], child)) child = right;
    if (isBefore(heap, bound, partA, partB, child)) break;
    put(heap, at, bounds[child], partsA[child], partsB[child]);
    at = child;
  }
  put(heap, at, bound, partA, partB);
}
