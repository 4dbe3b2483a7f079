/**
 * The first impact of two moving bodies of parts. Pairs of parts that can meet earlier are tried first, and those that cannot
 * meet before the first impact so far are skipped. A point that moves straight has a faster way through the triangles of a mesh
 * (point-path.ts).
 */
import { findSweptPairs } from '../bvh/find-swept-pairs.ts';
import type { Walk } from '../bvh/walk.ts';
import { copy, length } from '../cpu/math.ts';
import type { ImpactQuery } from '../cpu/parts/part-impacts.ts';
import { createPairResult, decided, type PairResult } from '../cpu/queries/result.ts';
import type { Rest, Work } from '../util/turns.ts';
import { comesBefore, copyImpact, keyOfParts, type KnownAnswer } from './known-answer.ts';
import { treeOf } from '../bvh/kept-trees.ts';
import type { PartPlaces } from './part-geometry.ts';
import { createStartContacts, type StartContact } from './surface/start-contacts.ts';
import { IMPACT_COUNTS, IMPACT_STANDS, type SurfaceImpacts } from './surface/surface-impacts.ts';
import type { BodySweep } from './sweep-bodies.ts';

/**
 * Finds the first impact of the bodies at `places`, whose motion is `sweep`. If they do not meet, writes that.
 * `known.hasNormal` says whether the normal is that of a triangle, as the surface of a mesh has it.
 */
export type FindFirstImpact = (known: KnownAnswer) => Rest;

/** Parts only touch if they overlap by no more than this share of the size of the body that is not the mesh. */
const LEAST_OVERLAP = 2e-6;

/** The same as a share of the distance of both bodies' positions, which are f32. */
const POSITION_ROUNDING = 2 ** -23;

export function createFirstImpact(
  query: ImpactQuery,
  places: PartPlaces,
  sweep: BodySweep,
  walk: Walk,
  surface: SurfaceImpacts | undefined,
): FindFirstImpact {
  const impact = createPairResult();
  const { geometry } = places;
  const path = geometry.createPath?.(query, places, sweep, walk);
  const findStart = surface && createStartContacts(places, walk);

  /** Tries all parts whose boxes can meet. */
  function* sweepParts(known: KnownAnswer): Work<void> {
    const { a, b } = places;
    const visit = (partA: number, partB: number, earliest: number): number => {
      geometry.impact(places, [partA, partB], query, impact, earliest);
      takeEarlier(impact, partA, partB, known);
      return Math.max(known.result.unclampedTime, 0);
    };
    yield* findSweptPairs(treeOf(a.shape), treeOf(b.shape), sweep, visit, walk);
  }

  /** The same with a mesh, by the normals of its surface. */
  function* sweepSurface(of: SurfaceImpacts, known: KnownAnswer): Work<void> {
    const { a, b } = places;
    const { result } = known;
    of.begin();
    const start = new Set<number>();
    if (query.motion.passesParting) {
      const contacts = (yield* findStart!(query.margin)).filter((contact) => overlaps(places, contact));
      for (const contact of contacts) {
        const { partA, partB, isKept } = contact;
        if (isKept && of.findAtStart(contact, impact)) takeEarlier(impact, partA, partB, known);
        start.add(keyOfParts(partA, partB));
      }
      if (result.unclampedTime <= 0) return;
    }
    let stands = false;
    const visit = (partA: number, partB: number, earliest: number): number => {
      const times = { earliest, last: Math.max(result.unclampedTime, 0) };
      const verdict = of.find(partA, partB, times, start.has(keyOfParts(partA, partB)), impact);
      if (verdict === IMPACT_COUNTS) takeEarlier(impact, partA, partB, known);
      stands ||= verdict === IMPACT_STANDS;
      return Math.max(result.unclampedTime, 0);
    };
    yield* findSweptPairs(treeOf(a.shape), treeOf(b.shape), sweep, visit, walk);
    if (stands && result.unclampedTime > 0) yield* standStill(known);
  }

  /**
   * Bodies that overlap at the start, and approach along no normal, have the normal of their deepest contact. Those that do not move
   * may only touch.
   */
  function* standStill(known: KnownAnswer): Work<void> {
    const { isTurning, moment } = sweep;
    const isMoving = isTurning || moment.velocity.some((speed) => speed !== 0);
    let deepest: StartContact | undefined;
    for (const contact of yield* findStart!(query.margin))
      if (contact.isDeepest && (!isMoving || overlaps(places, contact)) && (!deepest || contact.depth > deepest.depth))
        deepest = contact;
    if (!deepest) return;
    const { result } = known;
    decided(0, 0, 1, result);
    result.hasPoints = true;
    result.unclampedTime = -Infinity;
    copy(deepest.normal, result.normal);
    copy(deepest.point, result.pointA);
    known.partA = deepest.partA;
    known.partB = deepest.partB;
  }

  /** For a point's impact that the reference has decided. A point always approaches what it meets. */
  function correctNormal({ hasNormal, partA, partB, result }: KnownAnswer): void {
    if (!hasNormal) surface?.correct(partA, partB, result);
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
    const isByNormals = surface?.decides ?? false;
    // A path meets both sides of triangles.
    const hasPath = !(isByNormals && geometry.surface.isFront(places)) && path?.place();
    if (!hasPath) return isByNormals ? sweepSurface(surface!, known) : sweepParts(known);
    const rest = path!.follow(known);
    if (rest) return followOn(rest, known);
    correctNormal(known);
    return undefined;
  };
}

/**
 * Takes an impact that is earlier than another, or as early and of lower parts. Of parts that overlap at the start, those that have
 * overlapped longest count.
 */
function takeEarlier(impact: PairResult, partA: number, partB: number, to: KnownAnswer): void {
  const time = impact.unclampedTime;
  const { unclampedTime } = to.result;
  if (time > unclampedTime || time === Infinity) return;
  if (time === unclampedTime && !comesBefore(partA, partB, to.partA, to.partB)) return;
  copyImpact(impact, to.result);
  to.partA = partA;
  to.partB = partB;
}

/** Whether parts do more than touch at the start. */
function overlaps(places: PartPlaces, { depth }: StartContact): boolean {
  const { a, b, offset } = places;
  const other = places.geometry.surface.isFirst(places) ? b : a;
  return depth > LEAST_OVERLAP * other.shape.boundingRadius * other.scale + POSITION_ROUNDING * length(offset);
}
