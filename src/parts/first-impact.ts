/**
 * The first impact of two moving bodies of parts. Pairs of parts that can meet earlier are tried first, and those that cannot
 * meet before the first impact so far are skipped. A point that moves straight has a faster way through the triangles of a mesh
 * (point-path.ts).
 */
import { findSweptPairs } from '../bvh/find-swept-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { partImpact, type ImpactQuery } from '../cpu/parts/part-impacts.ts';
import { createPairResult, decided } from '../cpu/queries/result.ts';
import type { Rest, Work } from '../util/turns.ts';
import { comesBefore, copyImpact, type KnownAnswer } from './known-answer.ts';
import { treeOf } from './part-sources.ts';
import { createPointPath, followPath, setPath } from './point-path.ts';
import type { SurfaceImpacts } from './surface/surface-impacts.ts';
import type { BodySweep } from './sweep-bodies.ts';

/**
 * Finds the first impact of the bodies at `places`, whose motion is `sweep`. If they do not meet, writes that.
 * `known.hasNormal` says whether the normal is that of a triangle, as the surface of a mesh has it.
 */
export type FindFirstImpact = (known: KnownAnswer) => Rest;

export function createFirstImpact(
  query: ImpactQuery,
  places: PairPlaces,
  sweep: BodySweep,
  walk: Walk,
  surface: SurfaceImpacts | undefined,
): FindFirstImpact {
  const impact = createPairResult();
  const path = createPointPath(query, places, sweep, walk);

  /** Tries all parts whose boxes can meet. Those that pass each other along a mesh's surface do not count. */
  function* sweepParts(known: KnownAnswer): Work<void> {
    const { a, b } = places;
    const { result } = known;
    const visit = (partA: number, partB: number, earliest: number): number => {
      partImpact(places, partA, partB, query, impact, earliest);
      const time = impact.unclampedTime;
      const isTie = time === result.unclampedTime && time < Infinity;
      const isFirst = time < result.unclampedTime || (isTie && comesBefore(partA, partB, known.partA, known.partB));
      if (isFirst && surface?.accept(partA, partB, impact) !== false) {
        copyImpact(impact, result);
        known.partA = partA;
        known.partB = partB;
      }
      // Of parts that overlap at the start, those that have overlapped longest count.
      return Math.max(result.unclampedTime, 0);
    };
    yield* findSweptPairs(treeOf(a.shape), treeOf(b.shape), sweep, visit, walk);
  }

  /** For a point's impact that the reference has decided. A point always approaches what it meets. */
  function correctNormal({ hasNormal, partA, partB, result }: KnownAnswer): void {
    if (!hasNormal) surface?.accept(partA, partB, result);
  }

  function* followOn(rest: Work<void>, known: KnownAnswer): Work<void> {
    yield* rest;
    correctNormal(known);
  }

  return (known) => {
    decided(1, 0, 1, known.result);
    known.result.unclampedTime = Infinity;
    known.partA = known.partB = 0;
    known.hasNormal = false;
    if (!setPath(path)) return sweepParts(known);
    const rest = followPath(path, known);
    if (rest) return followOn(rest, known);
    correctNormal(known);
    return undefined;
  };
}
