/**
 * The reference for bodies of parts. Its answer is that of the parts that decide: the nearest, or the deepest if any
 * overlap. Several pairs of parts may be as near or as deep up to the tolerance. An engine may answer for any of them, so
 * they are all judges of its answer.
 */

import { findPartPairs } from '../../src/bvh/find-part-pairs.ts';
import { createNearest, nearestParts } from '../../src/bvh/nearest-parts.ts';
import { createWalk } from '../../src/bvh/walk.ts';
import { createPair } from '../../src/cpu/pair.ts';
import { addScaled, copy, vec3 } from '../../src/cpu/math.ts';
import { AT_ANY_DISTANCE, contact } from '../../src/cpu/queries/contacts.ts';
import { createPairResult } from '../../src/cpu/queries/result.ts';
import { CORE_HALFSPACE } from '../../src/generated/constants.ts';
import { createPairPlaces, placePair } from '../../src/cpu/parts/pair-places.ts';
import { createPartDistances } from '../../src/parts/part-distances.ts';
import { createPartPlace, pairOfParts, placePart } from '../../src/cpu/parts/part-place.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import { treeOf } from '../../src/bvh/kept-trees.ts';
import { hasCurvedPart } from '../../src/shapes/parts.ts';
import { toleranceOfPair, type Precision } from '../../src/shapes/tolerances.ts';
import { finish } from '../../src/util/turns.ts';
import { poseOfPair, setKnownDistance, type JudgedBodies, type KnownDistance, type Reference } from './reference.ts';

export interface PartPairs {
  /** Whether a body of the pair has parts. */
  hasParts(a: number, b: number): boolean;
  /** Fills in the deciding parts of bodies `a` and `b` and their known distance. */
  load(a: number, b: number, to: Reference): void;
  /** Fills in the next pair of parts of the same bodies that may decide. Returns false if there is none. */
  next(to: Reference): boolean;
}

/** Most pairs of parts that judge one answer. */
const MOST_JUDGES = 4096;

interface Candidate {
  partA: number;
  partB: number;
  distance: number;
}

/** Builds the trees of the scene's shapes. `precision` is that of the judged engine. */
export function createPartPairs(scene: JudgedBodies, precision: Precision): PartPairs {
  const { shapeData, bodies } = scene;
  if (shapeData.some(({ parts }) => parts)) {
    for (const shape of shapeData) if (shape.kind !== CORE_HALFSPACE) finish(partTree(shape));
  }
  const places = createPairPlaces();
  const distances = createPartDistances(places);
  const placeA = createPartPlace();
  const placeB = createPartPlace();
  const walk = createWalk();
  const nearest = createNearest();
  const direction = vec3();
  const pair = createPair();
  const result = createPairResult();
  /** A's position. */
  const origin = vec3();
  let judges: Candidate[] = [];
  let at = 0;

  /** All pairs of parts that can be the nearest or the deepest. */
  function candidates(slack: number): [partA: number, partB: number][] {
    const { a, b, placement } = places;
    distances.begin();
    const found: [number, number][] = [];
    if (a.shape.kind === CORE_HALFSPACE || b.shape.kind === CORE_HALFSPACE) {
      const parts = (a.shape.parts ?? b.shape.parts)!;
      const count = parts.type === 'mesh' ? parts.indices.length / 3 : parts.shapes.length;
      for (let part = 0; part < count; part++) found.push(a.shape.parts ? [part, 0] : [0, part]);
      return found;
    }
    const [treeA, treeB] = [treeOf(a.shape), treeOf(b.shape)];
    const measure = (partA: number, partB: number, most: number): number =>
      distances.distance(partA, partB, most, direction);
    finish(nearestParts({ a: treeA, b: treeB, placement }, measure, { limit: Infinity, slack: 0 }, nearest, walk));
    const most = nearest.distance > 0 ? nearest.distance + slack : 0;
    const add = (partA: number, partB: number): boolean => {
      if (most === 0 || measure(partA, partB, most) <= most) found.push([partA, partB]);
      return most > 0 && found.length === MOST_JUDGES;
    };
    finish(findPartPairs({ a: treeA, b: treeB, placement }, most, add, walk));
    return found;
  }

  /** Places a pair of parts in `pair`. */
  function placeParts(partA: number, partB: number): void {
    placePart(places.a, partA, true, placeA);
    placePart(places.b, partB, true, placeB);
    pairOfParts(placeA, placeB, places.offset, pair);
  }

  function loadJudge(to: Reference): void {
    const { partA, partB } = judges[at];
    placePart(places.a, partA, true, placeA);
    placePart(places.b, partB, true, placeB);
    pairOfParts(placeA, placeB, places.offset, to.pair);
    to.shapeA = placeA.shape;
    to.shapeB = placeB.shape;
    addScaled(origin, placeA.offset, 1, to.origin);
  }

  return {
    hasParts: (a, b) => [a, b].some((body) => shapeData[bodies.shapes[body]].parts !== undefined),
    load(a, b, to) {
      poseOfPair(scene, a, b, to);
      copy(to.origin, origin);
      to.isOfParts = true;
      to.isOfMesh = [to.shapeA, to.shapeB].some(({ parts }) => parts?.type === 'mesh');
      to.hasCurvedParts = hasCurvedPart(to.shapeA) || hasCurvedPart(to.shapeB);
      placePair(bodies, shapeData, a, b, places);
      const slack = 2 * toleranceOfPair(precision, to.hasCurvedParts, true) * to.size;
      const known: KnownDistance = { hasAnswer: true, low: Infinity, high: Infinity, lower: Infinity, upper: Infinity };
      judges = candidates(slack).map(([partA, partB]) => {
        placeParts(partA, partB);
        setKnownDistance(contact(pair, placeA.shape, placeB.shape, AT_ANY_DISTANCE, result), to.known);
        for (const end of ['low', 'high', 'lower', 'upper'] as const) known[end] = Math.min(known[end], to.known[end]);
        return { partA, partB, distance: to.known.low };
      });
      known.hasAnswer = known.low === known.high;
      Object.assign(to.known, known);
      judges = judges.filter(({ distance }) => distance <= known.low + slack).sort((x, y) => x.distance - y.distance);
      judges.length = Math.min(judges.length, MOST_JUDGES);
      at = 0;
      loadJudge(to);
    },
    next(to) {
      if (at + 1 >= judges.length) return false;
      at++;
      loadJudge(to);
      return true;
    },
  };
}
