/**
 * What a pair of bodies needs: an answer that is known at once, or the pairs of their parts that a backend answers.
 *
 * The nearest parts are found by branch and bound in double precision, which decides pairs that are apart. If the bodies
 * overlap, the pairs of parts whose boxes meet are left to the backend, which finds the deepest. A device may have found
 * those pairs before (device-search.ts).
 */
import { findPartPairs, firstHit } from '../bvh/find-part-pairs.ts';
import { createNearest, nearestParts } from '../bvh/nearest-parts.ts';
import { createWalk, type Walk } from '../bvh/walk.ts';
import { createPair } from '../cpu/pair.ts';
import { contact } from '../cpu/queries/contacts.ts';
import { distance } from '../cpu/queries/distances.ts';
import { createPairResult, decided, type PairResult } from '../cpu/queries/result.ts';
import { copy, set, transform, vec3, type Vec3 } from '../cpu/math.ts';
import { CORE_HALFSPACE, IS_OPEN } from '../generated/constants.ts';
import type { PosedBodies } from '../api/bodies.ts';
import type { LeadStage, QueryRequest } from '../request/backend.ts';
import { hasCurvedPart } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { CURVED_TOLERANCE } from '../shapes/tolerances.ts';
import { addCandidate, sortCandidates, type Candidates } from './candidates.ts';
import type { DeviceSearch, FoundParts } from './device-search.ts';
import { createBodyPlane, planeFromBody, visitLowParts } from './halfspace-parts.ts';
import { createPairPlaces, placePair, type PairPlaces } from './pair-places.ts';
import { pairOfParts, partDistance, partsMeet } from './part-distances.ts';
import { createPartPlace, placePart } from './part-place.ts';
import { treeOf } from './part-sources.ts';
import { reachOf } from './reach.ts';

/** An answer, and the parts that it is of. */
export interface KnownAnswer {
  result: PairResult;
  partA: number;
  partB: number;
}

export interface PairSearch {
  /** Tests of boxes and of parts so far. */
  readonly walk: Walk;
  /**
   * Searches a pair: writes the answer to `known` and returns true, or adds pairs of parts to `candidates`, in ascending
   * order, and returns false. `device`: what a device has found.
   */
  search(pair: number, candidates: Candidates, known: KnownAnswer, device?: DeviceSearch): boolean;
}

/** More than the tolerance of any kernel, as a share of the sizes of both bodies. */
const FILTER_SLACK = 2e-4;

/** How far apart parts may be for the backend to answer for them, if their boxes are at most `most` apart. */
export function farthestParts({ a, b }: PairPlaces, most: number): number {
  return most + FILTER_SLACK * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
}

export function createKnownAnswer(): KnownAnswer {
  return { result: createPairResult(), partA: 0, partB: 0 };
}

/** A search for the pairs of a request. The trees of its shapes are built. */
export function createPairSearch(request: QueryRequest): PairSearch {
  const { query, pairs, margin, leadStage, motion, listsParts } = request;
  const bodies = request.bodies as PosedBodies;
  const table = request.shapes.shapes as readonly (ShapeData | undefined)[];
  const places = createPairPlaces();
  const walk = createWalk();
  const plane = createBodyPlane();
  const nearest = createNearest();
  const direction = vec3();
  const far = { distance: Infinity, normal: vec3() };

  function searchHalfspace(pair: number, candidates: Candidates, isHalfspaceA: boolean): void {
    planeFromBody(places, isHalfspaceA, plane);
    const tree = treeOf((isHalfspaceA ? places.b : places.a).shape);
    const add = (part: number): void =>
      addCandidate(candidates, pair, isHalfspaceA ? 0 : part, isHalfspaceA ? part : 0);
    const first = candidates.count;
    if (listsParts || motion) {
      visitLowParts(tree, plane, margin + (motion ? reachOf(places, motion, pairs, pair) : 0), (part, most) => {
        add(part);
        return most;
      });
      sortCandidates(candidates, first);
      return;
    }
    let lowest = Infinity;
    let lowestPart = 0;
    visitLowParts(tree, plane, Infinity, (part, most) => {
      const height = signedDistance(places, isHalfspaceA ? 0 : part, isHalfspaceA ? part : 0);
      if (height < lowest || (height === lowest && part < lowestPart)) {
        lowest = height;
        lowestPart = part;
      }
      return Math.min(most, height);
    });
    add(lowestPart);
  }

  /** Adds all pairs of parts whose boxes are at most `most` apart; if `isMeasured`, those that are so near themselves. */
  function addAll(pair: number, candidates: Candidates, most: number, isMeasured: boolean): void {
    const first = candidates.count;
    const { a, b, offset, placement } = places;
    const limit = farthestParts(places, most);
    const add = (partA: number, partB: number): void => {
      if (isMeasured && partDistance(a, partA, b, partB, offset, placement, limit, direction) > limit) return;
      addCandidate(candidates, pair, partA, partB);
    };
    findPartPairs(treeOf(places.a.shape), treeOf(places.b.shape), places.placement, most, add, walk);
    sortCandidates(candidates, first);
  }

  /**
   * Adds the pairs of parts that a device has found and that are near. Returns whether two parts touch or overlap; if none
   * do and `isContact`, adds nothing.
   */
  function addFound(
    pair: number,
    candidates: Candidates,
    device: DeviceSearch,
    most: number,
    isContact: boolean,
  ): boolean {
    const first = candidates.count;
    const { a, b, offset, placement } = places;
    const limit = farthestParts(places, most);
    let meet = false;
    const { partsA, partsB } = device.partsOf(pair);
    for (let i = 0; i < partsA.length; i++) {
      const partA = partsA[i] & ~IS_OPEN;
      const gap = partDistance(a, partA, b, partsB[i], offset, placement, limit, direction);
      if (gap <= 0) meet = true;
      if (gap <= limit) addCandidate(candidates, pair, partA, partsB[i]);
    }
    if (isContact && !meet) candidates.count = first;
    return meet;
  }

  return {
    walk,
    search(pair, candidates, known, device) {
      const bodyA = pairs[2 * pair];
      const bodyB = pairs[2 * pair + 1];
      placePair(bodies, table, bodyA, bodyB, places);
      const { a, b, offset, placement } = places;
      if (!a.shape.parts && !b.shape.parts) {
        addCandidate(candidates, pair, 0, 0);
        return false;
      }
      if (a.shape.kind === CORE_HALFSPACE || b.shape.kind === CORE_HALFSPACE) {
        searchHalfspace(pair, candidates, a.shape.kind === CORE_HALFSPACE);
        return false;
      }
      if (listsParts || motion) {
        if (motion) addAll(pair, candidates, margin + reachOf(places, motion, pairs, pair), false);
        else if (device?.has(pair)) addFound(pair, candidates, device, margin, false);
        else addAll(pair, candidates, margin, true);
        return false;
      }
      const treeA = treeOf(a.shape);
      const treeB = treeOf(b.shape);
      if (query === 'intersects' && margin === 0) {
        const meet = (partA: number, partB: number): boolean => {
          known.partA = partA;
          known.partB = partB;
          return partsMeet(a, partA, b, partB, offset, placement);
        };
        const hits = device?.has(pair)
          ? device.meets(pair) || anyOf(device.partsOf(pair), meet)
          : firstHit(treeA, treeB, placement, meet, walk);
        decided(hits ? 0 : 1, 0, 1, known.result);
        return true;
      }
      if (query === 'contacts' && device?.has(pair) && addFound(pair, candidates, device, 0, true)) return false;
      far.distance = Infinity;
      const measure = (partA: number, partB: number, most: number): number => {
        const gap = partDistance(a, partA, b, partB, offset, placement, most, direction);
        if (gap > margin && gap < far.distance) {
          far.distance = gap;
          copy(direction, far.normal);
        }
        return gap;
      };
      nearestParts(treeA, treeB, placement, measure, { limit: margin, slack: slackOf(places) }, nearest, walk);
      if (nearest.distance === Infinity) {
        writeFar(places, walk, far, known);
        return true;
      }
      if (nearest.distance <= 0 && query === 'contacts') {
        addAll(pair, candidates, 0, true);
        return false;
      }
      const { partA, partB } = lowestPair(nearest.pairs);
      known.partA = partA;
      known.partB = partB;
      if (query === 'intersects' || nearest.distance <= 0) decided(nearest.distance, margin, 1, known.result);
      else answerParts(places, query === 'contacts', margin, leadStage, known);
      return true;
    },
  };
}

/** Whether `meet` returns true for any of the pairs of parts. */
function anyOf({ partsA, partsB }: FoundParts, meet: (partA: number, partB: number) => boolean): boolean {
  for (let i = 0; i < partsA.length; i++) if (meet(partsA[i] & ~IS_OPEN, partsB[i])) return true;
  return false;
}

/** The first of some pairs of parts in ascending order. */
function lowestPair(pairs: readonly number[]): { partA: number; partB: number } {
  let [partA, partB] = pairs;
  for (let i = 2; i < pairs.length; i += 2) {
    if (pairs[i] > partA || (pairs[i] === partA && pairs[i + 1] >= partB)) continue;
    partA = pairs[i];
    partB = pairs[i + 1];
  }
  return { partA, partB };
}

/** By how much two distances may differ that are the same but for the errors of the reference. */
function slackOf({ a, b }: PairPlaces): number {
  if (!hasCurvedPart(a.shape) && !hasCurvedPart(b.shape)) return 0;
  const size = a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale;
  return CURVED_TOLERANCE.reference.apart * size;
}

const axis = vec3();

/**
 * The answer for bodies whose parts are all farther apart than the margin: the least bound of the boxes that were cut off,
 * and of the parts that were measured.
 */
function writeFar(
  { a }: PairPlaces,
  walk: Walk,
  far: { distance: number; normal: Vec3 },
  { result }: KnownAnswer,
): void {
  decided(1, 0, 1, result);
  result.distance = result.lower = Math.min(walk.bound, far.distance);
  result.upper = 1e30;
  if (far.distance <= walk.bound) copy(far.normal, result.normal);
  else transform(a.rotation, set(walk.axis[0], walk.axis[1], walk.axis[2], axis), result.normal);
}

const partPlaceA = createPartPlace();
const partPlaceB = createPartPlace();
const pairOfTwo = createPair();

/** Has the reference answer for two parts that are apart. Points are relative to A's position. */
function answerParts(
  { a, b, offset }: PairPlaces,
  isContact: boolean,
  margin: number,
  leadStage: LeadStage,
  { partA, partB, result }: KnownAnswer,
): void {
  placePart(a, partA, true, partPlaceA);
  placePart(b, partB, true, partPlaceB);
  pairOfParts(partPlaceA, partPlaceB, offset, pairOfTwo);
  (isContact ? contact : distance)(pairOfTwo, partPlaceA.shape, partPlaceB.shape, margin, leadStage, result);
  if (!result.hasPoints) return;
  const { x, y, z } = partPlaceA.offset;
  const { pointA, pointB } = result;
  set(pointA.x + x, pointA.y + y, pointA.z + z, pointA);
  set(pointB.x + x, pointB.y + y, pointB.z + z, pointB);
}

const depth = createPairResult();

/** The signed distance of two parts. */
function signedDistance({ a, b, offset }: PairPlaces, partA: number, partB: number): number {
  placePart(a, partA, true, partPlaceA);
  placePart(b, partB, true, partPlaceB);
  pairOfParts(partPlaceA, partPlaceB, offset, pairOfTwo);
  return contact(pairOfTwo, partPlaceA.shape, partPlaceB.shape, Infinity, 'sat', depth).distance;
}
