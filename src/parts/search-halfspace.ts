/** Which parts of a body may decide its pair with a half-space. */
import { createPair } from '../cpu/pair.ts';
import { isRotating } from '../cpu/parts/part-impacts.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import { AT_ANY_DISTANCE, contact } from '../cpu/queries/contacts.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import type { Work } from '../util/turns.ts';
import { addCandidate, type Candidates } from './candidates.ts';
import { createBodyPlane, planeFromBody, visitLowParts } from './halfspace-parts.ts';
import type { HalfspaceQuery } from './part-geometry.ts';
import { treeOf } from '../bvh/kept-trees.ts';
import { reachOf } from './reach.ts';

/** The half-space of the present pair. */
const plane = createBodyPlane();

/** Adds the lowest part above the half-space; for lists of parts and for bodies that turn, all that may meet it. */
export function* searchHalfspace(
  { what: { margin }, over: { pairs, motion }, listsParts, places, walk }: HalfspaceQuery,
  pair: number,
  candidates: Candidates,
  isHalfspaceA: boolean,
): Work<void> {
  planeFromBody(places, isHalfspaceA, plane);
  const tree = treeOf((isHalfspaceA ? places.b : places.a).shape);
  const add = (part: number): void => addCandidate(candidates, pair, isHalfspaceA ? 0 : part, isHalfspaceA ? part : 0);
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

const partPlaceA = createPartPlace();
const partPlaceB = createPartPlace();
const pairOfTwo = createPair();
const depth = createPairResult();

/** The signed distance of two parts. */
function signedDistance({ a, b, offset }: PairPlaces, partA: number, partB: number): number {
  placePart(a, partA, true, partPlaceA);
  placePart(b, partB, true, partPlaceB);
  pairOfParts(partPlaceA, partPlaceB, offset, pairOfTwo);
  return contact(pairOfTwo, partPlaceA.shape, partPlaceB.shape, AT_ANY_DISTANCE, depth).distance;
}
