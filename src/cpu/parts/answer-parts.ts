/** The answer for two parts of a pair of bodies: a triangle of a mesh, a convex part of a compound, or a convex body itself. */
import type { PosedBodies } from '../../api/bodies.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { AskedPairs } from '../asked-pairs.ts';
import { addScaled, type Vec3 } from '../math.ts';
import { createPair } from '../pair.ts';
import { createPairPlaces, placePair } from './pair-places.ts';
import { impactQueryOf, partImpact } from './part-impacts.ts';
import { createPartPlace, pairOfParts, placePart } from './part-place.ts';
import { contact } from '../queries/contacts.ts';
import { distance } from '../queries/distances.ts';
import { intersects } from '../queries/intersects.ts';
import { manifold } from '../queries/manifolds.ts';
import type { PairResult } from '../queries/result.ts';

const algorithms = { intersects, distances: distance, contacts: contact, manifolds: manifold };

const places = createPairPlaces();
const partA = createPartPlace();
const partB = createPartPlace();
const pair = createPair();

/** The pairs of the query that `places` is of, and the bodies: consecutive pairs of parts are often of the same bodies. */
let placedPairs: Uint32Array | undefined;
let placedA = -1;
let placedB = -1;

/** The answer for pair `index` of pairs that have `parts`. Points are relative to A's position. */
export function answerParts(asked: AskedPairs, index: number, to: PairResult): void {
  const { what, over } = asked;
  const { query } = what;
  const { pairs } = over;
  const { a: partsOfA, b: partsOfB } = over.parts!;
  const bodyA = pairs[2 * index];
  const bodyB = pairs[2 * index + 1];
  if (pairs !== placedPairs || bodyA !== placedA || bodyB !== placedB) {
    const table = over.shapes.shapes as unknown as readonly ShapeData[];
    placePair(over.bodies as PosedBodies, table, bodyA, bodyB, places);
    placedPairs = pairs;
    placedA = bodyA;
    placedB = bodyB;
  }
  if (query === 'impacts') {
    partImpact(places, partsOfA[index], partsOfB[index], impactQueryOf(asked), to);
    return;
  }
  placePart(places.a, partsOfA[index], true, partA);
  placePart(places.b, partsOfB[index], true, partB);
  pairOfParts(partA, partB, places.offset, pair);
  algorithms[query](pair, partA.shape, partB.shape, what, to);
  movePoints(to, partA.offset);
}

/** Makes points relative to another position. */
export function movePoints(to: PairResult, offset: Vec3): void {
  if (!to.hasPoints || (offset.x === 0 && offset.y === 0 && offset.z === 0)) return;
  addScaled(to.pointA, offset, 1, to.pointA);
  addScaled(to.pointB, offset, 1, to.pointB);
  for (let i = 0; i < to.pointCount; i++) {
    to.positions[3 * i] += offset.x;
    to.positions[3 * i + 1] += offset.y;
    to.positions[3 * i + 2] += offset.z;
  }
}
