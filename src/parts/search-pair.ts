/**
 * What a pair of bodies needs: an answer that is known at once, or the pairs of their parts that a backend answers.
 *
 * The nearest parts are found by branch and bound in double precision, which decides pairs that are apart. If the bodies
 * overlap, the pairs of parts whose boxes meet are left to the backend, which finds the deepest.
 */
import { findPartPairs, firstHit } from '../bvh/find-part-pairs.ts';
import { findSweptPairs } from '../bvh/find-swept-pairs.ts';
import { createNearest, nearestParts } from '../bvh/nearest-parts.ts';
import { createWalk, type Walk } from '../bvh/walk.ts';
import { createPair } from '../cpu/pair.ts';
import { contact } from '../cpu/queries/contacts.ts';
import { distance } from '../cpu/queries/distances.ts';
import { createPairResult, decided, invalidPair } from '../cpu/queries/result.ts';
import { turnsTooFar } from '../records/turning.ts';
import { copy, length, set, transform, vec3, type Vec3 } from '../cpu/math.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import type { PosedBodies } from '../api/bodies.ts';
import type { LeadStage, QueryRequest } from '../request/backend.ts';
import { hasCurvedPart } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { toleranceOfPair } from '../shapes/tolerances.ts';
import type { Rest, Work } from '../util/turns.ts';
import { addCandidate, type Candidates } from './candidates.ts';
import { createBodyPlane, planeFromBody, visitLowParts } from './halfspace-parts.ts';
import { placePair, type PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartDistances } from './part-distances.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import { treeOf } from './part-sources.ts';
import { reachOf } from './reach.ts';
import { createSweep } from './sweep-bodies.ts';
import { createDepthBounds } from './depth-bounds.ts';
import { createDeepestContact } from './deepest-contact.ts';
import { createFirstImpact } from './first-impact.ts';
import { hasPart, lastParts } from './last-parts.ts';
import type { KnownAnswer } from './known-answer.ts';
import type { SurfaceContacts } from './surface-contacts.ts';
import { isRotating } from '../cpu/parts/part-impacts.ts';

export interface PairSearch {
  /** Tests of boxes and of parts so far. */
  readonly walk: Walk;
  /**
   * Searches a pair: writes the answer to `known` and returns true, or adds pairs of parts to `candidates` and returns false.
   * Between two yields the caller may take candidates away.
   */
  search(pair: number, candidates: Candidates, known: KnownAnswer): Work<boolean>;
}

/** More than the tolerance of any kernel, as a share of the sizes of both bodies. */
const FILTER_SLACK = 2e-4;

/** How far apart parts may be for the backend to answer for them, if their boxes are at most `most` apart. */
function farthestParts({ a, b }: PairPlaces, most: number): number {
  return most + FILTER_SLACK * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
}

/**
 * A search for the pairs of a request. The trees of its shapes are built. It leaves the bodies of the last pair in `places`.
 * `surface`: for contacts of meshes. `measuresParts`: parts whose boxes meet are measured, so that the backend gets fewer.
 */
export function createPairSearch(
  request: QueryRequest,
  places: PairPlaces,
  surface: SurfaceContacts | undefined,
  measuresParts: boolean,
): PairSearch {
  const { query, pairs, margin, leadStage, motion, listsParts, warmStart } = request;
  const bodies = request.bodies as PosedBodies;
  const table = request.shapes.shapes as readonly (ShapeData | undefined)[];
  const walk = createWalk();
  const plane = createBodyPlane();
  const distances = createPartDistances(places);
  const bounds = listsParts ? createDepthBounds(places) : undefined;
  const nearest = createNearest();
  const sweep = motion && createSweep(places, motion, margin);
  const findFirstImpact = motion && createFirstImpact(request, motion, places, sweep!, walk);
  const findDeepest =
    query === 'contacts' && !listsParts && leadStage !== 'mpr'
      ? createDeepestContact(request, places, walk, surface)
      : undefined;
  const direction = vec3();
  const far = { distance: Infinity, normal: vec3() };
  const last = warmStart && !listsParts ? lastParts(warmStart, pairs.length / 2) : undefined;

  /** The distance of the parts that decided last time, and a little more; Infinity if that is not known. */
  function lastDistance(pair: number): number {
    if (!last) return Infinity;
    const { a, b } = places;
    const partA = last[2 * pair];
    const partB = last[2 * pair + 1];
    if (!hasPart(a.shape, partA) || !hasPart(b.shape, partB)) return Infinity;
    walk.partTests++;
    return distances.distance(partA, partB, Infinity, direction) + toleranceOf(places);
  }

  function* searchHalfspace(pair: number, candidates: Candidates, isHalfspaceA: boolean): Work<void> {
    planeFromBody(places, isHalfspaceA, plane);
    const tree = treeOf((isHalfspaceA ? places.b : places.a).shape);
    const add = (part: number): void =>
      addCandidate(candidates, pair, isHalfspaceA ? 0 : part, isHalfspaceA ? part : 0);
    const turns = motion && (isRotating(motion, pairs[2 * pair]) || isRotating(motion, pairs[2 * pair + 1]));
    if (listsParts || turns) {
      const height = margin + (motion ? reachOf(places, motion, pairs, pair) : 0);
      const addPart = (part: number, most: number): number => {
        add(part);
        return most;
      };
      yield* visitLowParts(tree, plane, height, addPart, walk.isDue);
      return;
    }
    let lowest = Infinity;
    let lowestPart = 0;
    const keepLowest = (part: number, most: number): number => {
      const height = signedDistance(places, isHalfspaceA ? 0 : part, isHalfspaceA ? part : 0);
      if (height < lowest || (height === lowest && part < lowestPart)) {
        lowest = height;
        lowestPart = part;
      }
      return Math.min(most, height);
    };
    yield* visitLowParts(tree, plane, Infinity, keepLowest, walk.isDue);
    add(lowestPart);
  }

  /** Adds all pairs of parts that are at most `most` apart, and some that are farther apart. */
  function addAll(pair: number, candidates: Candidates, most: number): Rest {
    const { a, b, placement } = places;
    const limit = farthestParts(places, most);
    const ofMesh = hasMesh(places) ? bounds : undefined;
    ofMesh?.begin();
    const add = (partA: number, partB: number): void => {
      if (ofMesh && ofMesh.boundOf(partA, partB) < -limit) return;
      if (measuresParts && distances.distance(partA, partB, limit, direction) > limit) return;
      addCandidate(candidates, pair, partA, partB);
    };
    return findPartPairs({ a: treeOf(a.shape), b: treeOf(b.shape), placement }, most, add, walk, false);
  }

  /** Adds all pairs of parts that can meet during the motion. */
  function* addSwept(pair: number, candidates: Candidates): Work<void> {
    const { a, b } = places;
    const add = (partA: number, partB: number): void => addCandidate(candidates, pair, partA, partB);
    yield* findSweptPairs(treeOf(a.shape), treeOf(b.shape), sweep!, add, walk);
  }

  return {
    walk,
    *search(pair, candidates, known) {
      const bodyA = pairs[2 * pair];
      const bodyB = pairs[2 * pair + 1];
      if (motion && (turnsTooFar(motion, bodyA, 3) || turnsTooFar(motion, bodyB, 3))) {
        setParts(known, 0, 0);
        invalidPair(known.result);
        return true;
      }
      placePair(bodies, table, bodyA, bodyB, places);
      places.pair = pair;
      const { a, b, placement } = places;
      if (!a.shape.parts && !b.shape.parts) {
        addCandidate(candidates, pair, 0, 0);
        return false;
      }
      if (a.shape.kind === CORE_HALFSPACE || b.shape.kind === CORE_HALFSPACE) {
        yield* searchHalfspace(pair, candidates, a.shape.kind === CORE_HALFSPACE);
        return false;
      }
      distances.begin();
      if (motion) {
        sweep!.begin(bodyA, bodyB);
        if (listsParts) yield* addSwept(pair, candidates);
        else {
          const rest = findFirstImpact!(bodyA, bodyB, known);
          if (rest) yield* rest;
          if (!known.hasNormal) surface?.fixResult(known.partA, known.partB, known.result);
        }
        return !listsParts;
      }
      if (listsParts) {
        const rest = addAll(pair, candidates, margin);
        if (rest) yield* rest;
        return false;
      }
      const trees = { a: treeOf(a.shape), b: treeOf(b.shape), placement };
      const needsHit = query === 'intersects' && margin === 0;
      // Whether two meshes meet takes a fraction of the time of their distance.
      if (needsHit || (query !== 'contacts' && areMeshes(places))) {
        const meet = (partA: number, partB: number): boolean => {
          setParts(known, partA, partB);
          return distances.meet(partA, partB);
        };
        const hits = yield* firstHit(trees, meet, walk);
        if (hits || needsHit) {
          if (!hits) setParts(known, 0, 0);
          decided(hits ? 0 : 1, 0, 1, known.result);
          return true;
        }
      }
      if (findDeepest && hasMesh(places) && (yield* findDeepest(known))) return true;
      far.distance = Infinity;
      const measure = (partA: number, partB: number, most: number): number => {
        const gap = distances.distance(partA, partB, most, direction);
        if (gap > margin && gap < far.distance) {
          far.distance = gap;
          copy(direction, far.normal);
        }
        return gap;
      };
      const limit = Math.min(margin, lastDistance(pair));
      const heights = areMeshes(places) ? distances.heights : undefined;
      const search = nearestParts(trees, measure, { limit, slack: slackOf(places), heights }, nearest, walk);
      if (search) yield* search;
      if (nearest.distance === Infinity) {
        writeFar(places, walk, far, known);
        return true;
      }
      if (nearest.distance <= 0 && query === 'contacts') {
        const rest = addAll(pair, candidates, 0);
        if (rest) yield* rest;
        return false;
      }
      const { partA, partB } = nearest;
      setParts(known, partA, partB);
      if (last) {
        last[2 * pair] = partA;
        last[2 * pair + 1] = partB;
      }
      if (query === 'intersects' || nearest.distance <= 0) decided(nearest.distance, margin, 1, known.result);
      else {
        answerParts(places, query === 'contacts', margin, leadStage, known);
        surface?.fixResult(partA, partB, known.result);
      }
      return true;
    },
  };
}

function setParts(to: KnownAnswer, partA: number, partB: number): void {
  to.partA = partA;
  to.partB = partB;
}

function hasMesh({ a, b }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh' || b.shape.parts?.type === 'mesh';
}

function areMeshes({ a, b }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh' && b.shape.parts?.type === 'mesh';
}

/** More than the rounding of the distance of two triangles, as a share of their coordinates. */
const TRIANGLE_ROUNDING = 2 ** -44;

/** By how much two distances may differ that are the same but for the errors of the reference. */
function slackOf(places: PairPlaces): number {
  if (isCurvedPair(places)) return toleranceOf(places);
  const { a, b, offset } = places;
  return TRIANGLE_ROUNDING * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale + length(offset));
}

/** The error of a distance of the reference. */
function toleranceOf(places: PairPlaces): number {
  const { a, b } = places;
  const size = a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale;
  return toleranceOfPair('reference', isCurvedPair(places), false) * size;
}

function isCurvedPair({ a, b }: PairPlaces): boolean {
  return hasCurvedPart(a.shape) || hasCurvedPart(b.shape);
}

const axis = vec3();

/**
 * The answer for bodies whose parts are all farther apart than the margin: the least bound of the boxes that were cut off,
 * and of the parts that were measured.
 */
function writeFar({ a }: PairPlaces, walk: Walk, far: { distance: number; normal: Vec3 }, to: KnownAnswer): void {
  const { result } = to;
  setParts(to, 0, 0);
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
