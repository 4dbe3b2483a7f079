/** All intersecting pairs of triangles of two meshes each, with their segments. */
import type { PosedBodies } from '../api/bodies.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { createWalk } from '../bvh/walk.ts';
import { findTrianglePairs, intersectTriangles } from '../cpu/mesh-pairs.ts';
import { STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import { resultArrays, withItems } from '../records/create-result.ts';
import { noTimings } from '../request/backend.ts';
import type { QueryTimings } from '../api/types.ts';
import { TRIANGLE_PAIR_FIELDS } from '../records/result-fields.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { createPace, type Work } from '../util/turns.ts';
import { addCandidate, createCandidates, type Candidates } from './candidates.ts';
import { createPairPlaces, placePair, type PairPlaces } from '../cpu/pair-places.ts';
import { partTree, treeMesh } from './part-sources.ts';

/** Most pairs of triangles of a result. */
const MOST_HITS = 2 ** 26;

export interface TrianglePairRequest {
  bodies: PosedBodies;
  pairs: Uint32Array;
  shapes: readonly (ShapeData | undefined)[];
  fields: readonly string[];
  target: unknown;
  timings: QueryTimings;
}

/** The result of `trianglePairs`. All pairs are of meshes. */
export function* trianglePairs({ bodies, pairs, shapes, fields, target, timings }: TrianglePairRequest): Work<object> {
  const isDue = createPace();
  const count = pairs.length / 2;
  for (const shape of shapes) if (shape?.parts?.type === 'mesh') yield* partTree(shape);
  const places = createPairPlaces();
  const walk = createWalk();
  const found = createCandidates();
  const statusCounts = [0, 0, 0, 0, 0];
  for (let pair = 0; pair < count; pair++) {
    placePair(bodies, shapes, pairs[2 * pair], pairs[2 * pair + 1], places);
    const before = walk.boxTests + 8 * walk.partTests;
    const first = found.count;
    addHits(pair, places, walk, found);
    statusCounts[found.count > first ? STATUS_OVERLAPPING : STATUS_SEPARATED]++;
    if (found.count > MOST_HITS) {
      const message = `pairs have more than ${MOST_HITS} pairs of triangles that intersect, expected at most that`;
      throw new NarrowphaseError('LIMIT_EXCEEDED', message);
    }
    if (isDue(64 + 8 * (walk.boxTests + 8 * walk.partTests - before))) yield;
  }
  const { boxTests, partTests } = walk;
  Object.assign(timings, noTimings(), { tree: { boxTests, partTests } });
  const is64Bit = bodies.positions instanceof Float64Array;
  const arrays = resultArrays(TRIANGLE_PAIR_FIELDS, fields, found.count, is64Bit, target);
  arrays.pair?.set(found.pairs.subarray(0, found.count));
  arrays.status?.fill(STATUS_OVERLAPPING, 0, found.count);
  arrays.triangleA?.set(found.partsA.subarray(0, found.count));
  arrays.triangleB?.set(found.partsB.subarray(0, found.count));
  if (arrays.segment) yield* writeSegments(bodies, pairs, shapes, found, arrays.segment as Float64Array);
  const result = { count: found.count, hits: found.count, statusCounts, ...arrays };
  return withItems(result, TRIANGLE_PAIR_FIELDS, arrays, 3);
}

/** Adds the triangles of a pair that intersect, in ascending order. */
function addHits(
  pair: number,
  { a, b, placement }: PairPlaces,
  walk: ReturnType<typeof createWalk>,
  to: Candidates,
): void {
  const found = findTrianglePairs(treeMesh(a.shape), treeMesh(b.shape), placement, walk);
  for (let i = 0; i < found.length; i += 2) addCandidate(to, pair, found[i], found[i + 1]);
}

/** Computes the segments once more, now that there is memory for all of them. */
function* writeSegments(
  bodies: PosedBodies,
  pairs: Uint32Array,
  shapes: readonly (ShapeData | undefined)[],
  found: Candidates,
  to: Float32Array | Float64Array,
): Work<void> {
  const isDue = createPace();
  const places = createPairPlaces();
  const { a, b, placement } = places;
  const triangles = new Uint32Array(2);
  const segment = new Float64Array(6);
  let placed = -1;
  for (let slot = 0; slot < found.count; slot++) {
    if (isDue(64)) yield;
    const pair = found.pairs[slot];
    if (pair !== placed) placePair(bodies, shapes, pairs[2 * pair], pairs[2 * pair + 1], places);
    placed = pair;
    triangles[0] = found.partsA[slot];
    triangles[1] = found.partsB[slot];
    intersectTriangles(treeMesh(a.shape), treeMesh(b.shape), placement, triangles, segment);
    const { rotation } = a;
    for (let i = 0; i < 6; i += 3) {
      const [x, y, z] = segment.subarray(i, i + 3);
      for (let k = 0; k < 3; k++) {
        const turned = rotation[k] * x + rotation[3 + k] * y + rotation[6 + k] * z;
        segment[i + k] = bodies.positions[3 * pairs[2 * pair] + k] + turned;
      }
    }
    to.set(segment, 6 * slot);
  }
}
