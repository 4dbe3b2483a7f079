/**
 * The deepest contact of a body that has a surface (surface/) with another body, by branch and bound: the pair of parts that can be
 * deepest is tried first, and pairs that cannot be deeper than the deepest so far are skipped (depth-bounds.ts). For a body that
 * rests on a floor, one or two of a dozen triangles are tried.
 *
 * Only a contact that the surface accepts counts, except for two meshes. If another could be deeper, the passes over all parts that
 * are hit decide. Otherwise no part that cannot be deeper, or is behind the contact's plane, would change the answer.
 */
import { findPartPairs } from '../bvh/find-part-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { toleranceOfPair } from '../shapes/tolerances.ts';
import type { Rest, Work } from '../util/turns.ts';
import { createHeap, popPair, pushPair } from './depth-heap.ts';
import { comesBefore, copyContact, type KnownAnswer } from './known-answer.ts';
import { createPartContact } from './part-contact.ts';
import type { PartPlaces } from './part-geometry.ts';
import { treeOf } from '../bvh/kept-trees.ts';
import { createDeepestSurface } from './surface/deepest-surface.ts';

/**
 * Writes the deepest contact of the bodies at the places. Returns false if no parts have a contact. `margin`: of parts that hardly
 * overlap, by which they may be apart.
 */
export type FindDeepest = (known: KnownAnswer, margin: number) => Work<boolean>;

/** Pairs of parts that wait at most: the deepest of them are tried before more are searched. */
const MOST_WAITING = 2 ** 16;

/** Steps of `createPace` per contact. */
const CONTACT_STEPS = 2 ** 11;

export function createDeepestContact(
  query: Pick<PairOptions, 'leadStage' | 'mprDepth'>,
  places: PartPlaces,
  walk: Walk,
): FindDeepest {
  const { a, b, placement, geometry } = places;
  const bounds = geometry.createDepthBounds(places);
  const findContact = createPartContact(query, places);
  const surface = createDeepestSurface(places, findContact);
  const heap = createHeap();
  const present = createPairResult();
  let tolerance = 0;
  let isSurface = false;
  let most = 0;
  /** The distance of the deepest so far, as records have it. */
  let deepest = Infinity;

  const findPairs = (add: (partA: number, partB: number) => void): Rest =>
    findPartPairs({ a: treeOf(a.shape), b: treeOf(b.shape), placement }, most, add, walk, false);

  const add = (partA: number, partB: number): void => {
    // Rounded, so that the lowest parts come first where a floor of many triangles is flat.
    const bound = Math.fround(bounds.boundOf(partA, partB));
    if (bound >= -tolerance - most && bound > -deepest + tolerance) pushPair(heap, bound, partA, partB);
  };

  /** Tries the pairs that wait, until none of them can be deeper than the deepest so far. */
  function* tryWaiting(known: KnownAnswer): Work<void> {
    while (heap.count > 0 && heap.bounds[0] > -deepest + tolerance) {
      const partA = heap.partsA[0];
      const partB = heap.partsB[0];
      popPair(heap);
      if (isSurface && surface.isBehindDeepest(partA, partB)) continue;
      if (walk.isDue(CONTACT_STEPS)) yield;
      walk.partTests++;
      if (!findContact(partA, partB, most, present)) continue;
      if (isSurface && !surface.propose(partA, partB, most, present)) continue;
      const distance = Math.fround(present.distance);
      if (distance > deepest || (distance === deepest && !comesBefore(partA, partB, known.partA, known.partB)))
        continue;
      deepest = distance;
      known.partA = partA;
      known.partB = partB;
      copyContact(present, known.result);
      if (isSurface) surface.takeDeepest();
    }
    heap.count = 0;
  }

  return function* findDeepest(known, margin) {
    const size = a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale;
    const isCurved = geometry.isCurved(a.shape) || geometry.isCurved(b.shape);
    tolerance = toleranceOfPair('reference', isCurved, true) * size;
    deepest = Infinity;
    most = margin;
    heap.count = 0;
    bounds.begin();
    isSurface = geometry.surface.hasSurface(places);
    if (isSurface) surface.begin();
    const rest = findPairs(add);
    for (let step = rest?.next(); step && !step.done; step = rest!.next()) {
      if (heap.count >= MOST_WAITING) yield* tryWaiting(known);
      yield;
    }
    yield* tryWaiting(known);
    if (!isSurface || !(yield* surface.isOpen(deepest, most, bounds.boundOf))) return deepest < Infinity;
    const parts: number[] = [];
    const addParts = (partA: number, partB: number): void => {
      if (bounds.boundOf(partA, partB) >= -tolerance - most) parts.push(partA, partB);
    };
    const others = findPairs(addParts);
    if (others) yield* others;
    yield* surface.tryPairs(parts, most);
    yield* surface.choose(most, known);
    return true;
  };
}
