/**
 * The deepest contact of a mesh with another body, by branch and bound: the pair of parts that can be deepest is tried first,
 * and pairs that cannot be deeper than the deepest so far are skipped (depth-bounds.ts). For a body that rests on a floor, one
 * or two of a dozen triangles are tried.
 */
import { findPartPairs } from '../bvh/find-part-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import { movePoints } from '../cpu/parts/answer-parts.ts';
import { createPair } from '../cpu/pair.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import { contact } from '../cpu/queries/contacts.ts';
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';
import { hasCurvedPart } from '../shapes/parts.ts';
import { toleranceOfPair } from '../shapes/tolerances.ts';
import { allocate } from '../util/arrays.ts';
import type { Work } from '../util/turns.ts';
import { createDepthBounds } from './depth-bounds.ts';
import { treeOf } from './part-sources.ts';
import { comesBefore, createKnownAnswer, type KnownAnswer } from './known-answer.ts';
import { copyContact, type SurfaceContacts } from './surface-contacts.ts';

/** Writes the deepest contact of the bodies at the places. Returns false if they do not overlap. */
export type FindDeepest = (known: KnownAnswer) => Work<boolean>;

/** Pairs of parts that wait at most: the deepest of them are tried before more are searched. */
const MOST_WAITING = 2 ** 16;

/** Steps of `createPace` per contact. */
const CONTACT_STEPS = 2 ** 11;

export function createDeepestContact(
  { leadStage, mprDepth }: PairOptions,
  places: PairPlaces,
  walk: Walk,
  surface: SurfaceContacts | undefined,
): FindDeepest {
  const query: PairOptions = { margin: 0, leadStage, mprDepth };
  const { a, b, offset, placement } = places;
  const bounds = createDepthBounds(places);
  const heap = createHeap();
  const placeA = createPartPlace();
  const placeB = createPartPlace();
  const pair = createPair();
  const present = createPairResult();
  const spare = createKnownAnswer();
  let tolerance = 0;
  /** The distance of the deepest so far, as records have it. */
  let deepest = Infinity;

  const add = (partA: number, partB: number): void => {
    // Rounded, so that the lowest parts come first where a floor of many triangles is flat.
    const bound = Math.fround(bounds.boundOf(partA, partB));
    if (bound >= -tolerance && bound > -deepest + tolerance) push(heap, bound, partA, partB);
  };

  /**
   * Tries the pairs that wait, until none of them can be deeper than the deepest so far. `spare`: the deepest of those that are
   * not the surface's, for bodies that have no other.
   */
  function* tryWaiting(known: KnownAnswer): Work<void> {
    while (heap.count > 0 && heap.bounds[0] > -deepest + tolerance) {
      const partA = heap.partsA[0];
      const partB = heap.partsB[0];
      pop(heap);
      if (walk.isDue(CONTACT_STEPS)) yield;
      walk.partTests++;
      placePart(a, partA, true, placeA);
      placePart(b, partB, true, placeB);
      pairOfParts(placeA, placeB, offset, pair);
      contact(pair, placeA.shape, placeB.shape, query, present);
      if (!present.hit) continue;
      movePoints(present, placeA.offset);
      if (surface?.fixResult(partA, partB, present) === false) {
        takeDeeper(partA, partB, present, spare);
        continue;
      }
      takeDeeper(partA, partB, present, known);
      deepest = Math.fround(known.result.distance);
    }
    heap.count = 0;
  }

  return function* findDeepest(known) {
    const size = a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale;
    const isCurved = hasCurvedPart(a.shape) || hasCurvedPart(b.shape);
    tolerance = toleranceOfPair('reference', isCurved, true) * size;
    deepest = Infinity;
    heap.count = 0;
    bounds.begin();
    known.result.distance = Infinity;
    spare.result.distance = Infinity;
    const rest = findPartPairs({ a: treeOf(a.shape), b: treeOf(b.shape), placement }, 0, add, walk, false);
    for (let step = rest?.next(); step && !step.done; step = rest!.next()) {
      if (heap.count >= MOST_WAITING) yield* tryWaiting(known);
      yield;
    }
    yield* tryWaiting(known);
    if (deepest === Infinity && spare.result.distance < Infinity) {
      takeDeeper(spare.partA, spare.partB, spare.result, known);
    }
    return known.result.distance < Infinity;
  };
}

/** Takes a contact that is deeper than another by its record, or as deep and of lower parts. */
function takeDeeper(partA: number, partB: number, result: PairResult, to: KnownAnswer): void {
  const distance = Math.fround(result.distance);
  const deepest = Math.fround(to.result.distance);
  if (distance > deepest || (distance === deepest && !comesBefore(partA, partB, to.partA, to.partB))) return;
  to.partA = partA;
  to.partB = partB;
  copyContact(result, to.result);
}

/** Pairs of parts, the one with the greatest bound first; of equal ones, the lowest parts. */
interface Heap {
  count: number;
  bounds: Float64Array;
  partsA: Uint32Array;
  partsB: Uint32Array;
}

function createHeap(): Heap {
  return { count: 0, bounds: new Float64Array(0), partsA: new Uint32Array(0), partsB: new Uint32Array(0) };
}

function grow(heap: Heap): void {
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
function isBefore({ bounds, partsA, partsB }: Heap, bound: number, partA: number, partB: number, at: number): boolean {
  if (bound !== bounds[at]) return bound > bounds[at];
  return comesBefore(partA, partB, partsA[at], partsB[at]);
}

function put({ bounds, partsA, partsB }: Heap, at: number, bound: number, partA: number, partB: number): void {
  bounds[at] = bound;
  partsA[at] = partA;
  partsB[at] = partB;
}

function push(heap: Heap, bound: number, partA: number, partB: number): void {
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
function pop(heap: Heap): void {
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
