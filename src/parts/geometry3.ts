/** Compounds and meshes in 3-D. */
import { rayTree } from '../bvh/mesh-tree.ts';
import { movePoints } from '../cpu/parts/answer-parts.ts';
import { createPair } from '../cpu/pair.ts';
import { partImpact } from '../cpu/parts/part-impacts.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import { contact } from '../cpu/queries/contacts.ts';
import { distance } from '../cpu/queries/distances.ts';
import type { PairResult } from '../cpu/queries/result.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { hasCurvedPart } from '../shapes/parts.ts';
import { createDepthBounds } from './depth-bounds.ts';
import { createPartDistances } from './part-distances.ts';
import type { PartGeometry } from './part-geometry.ts';
import { partTree } from './part-sources.ts';
import { createPointPath } from './point-path.ts';
import { searchHalfspace } from './search-halfspace.ts';
import { spatialRule } from './surface/spatial-rule.ts';

const placeA = createPartPlace();
const placeB = createPartPlace();
const pair = createPair();

type Answer = typeof contact | typeof distance;

function answer(
  algorithm: Answer,
  { a, b, offset }: PairPlaces,
  parts: readonly [partA: number, partB: number],
  options: PairOptions,
  to: PairResult,
): void {
  placePart(a, parts[0], true, placeA);
  placePart(b, parts[1], true, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  algorithm(pair, placeA.shape, placeB.shape, options, to);
  movePoints(to, placeA.offset);
}

export const partGeometry3: PartGeometry = {
  prepareTree: partTree,
  *prepareMotion({ parts }) {
    if (parts?.type === 'mesh') yield* rayTree(parts);
  },
  partCount({ parts }) {
    if (!parts) return 1;
    return parts.type === 'mesh' ? parts.indices.length / 3 : parts.shapes.length;
  },
  isCurved: hasCurvedPart,
  areMeshes: ({ a, b }) => a.shape.parts?.type === 'mesh' && b.shape.parts?.type === 'mesh',
  contact: (places, partA, partB, options, to) => answer(contact, places, [partA, partB], options, to),
  distance: (places, partA, partB, options, to) => answer(distance, places, [partA, partB], options, to),
  impact: (places, [partA, partB], query, to, begin) => partImpact(places, partA, partB, query, to, begin),
  createDistances: createPartDistances,
  createDepthBounds,
  createPath: createPointPath,
  halfspaceOf: ({ a, b }) =>
    a.shape.kind === CORE_HALFSPACE ? 'a' : b.shape.kind === CORE_HALFSPACE ? 'b' : undefined,
  searchHalfspace,
  surface: spatialRule,
};
