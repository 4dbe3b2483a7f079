/** All intersecting pairs of triangles of two meshes each, with their segments. */
import type { PosedBodies } from '../api/bodies.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { createWalk, isWalkDue, type Walk } from '../bvh/walk.ts';
import { findTrianglePairs, intersectTriangles } from '../cpu/parts/mesh-pairs.ts';
import { STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import { resultArrays, withItems } from '../records/create-result.ts';
import { noTimings, type Backend } from '../request/backend.ts';
import { TRIANGLE_PAIR_FIELDS } from '../records/result-fields.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { inOrder, sortSlots } from '../util/sort-slots.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { addCandidate, createCandidates, type Candidates } from './candidates.ts';
import { createPairPlaces, placePair, type PairPlaces } from '../cpu/parts/pair-places.ts';
import { partTree, treeMesh } from './part-sources.ts';

/** Most pairs of triangles of a result. */
const MOST_HITS = 2 ** 26;

export interface TrianglePairRequest {
  bodies: PosedBodies;
  pairs: Uint32Array;
  shapes: readonly (ShapeData | undefined)[];
  fields: readonly string[];
  target: unknown;
  /** Called when work goes on after a pause. An error that it throws ends the work. */
  expectOn: () => void;
}

/** The result of `trianglePairs`. All pairs are of meshes. */
export async function trianglePairs(backend: Pick<Backend, 'timings'>, request: TrianglePairRequest): Promise<object> {
  const { bodies, pairs, shapes, fields, target, expectOn } = request;
  await workInTurns(buildTrees(request), expectOn);
  const walk = createWalk();
  const found = createCandidates();
  const statusCounts = [0, 0, 0, 0, 0];
  await workInTurns(searchPairs(request, walk, found, statusCounts), expectOn);
  const { boxTests, partTests } = walk;
  Object.assign(backend.timings, noTimings(), { tree: { boxTests, partTests } });
  const is64Bit = bodies.positions instanceof Float64Array;
  // A target is written in one go: until then the caller may transfer it.
  const { segment: own } = fields.includes('segment')
    ? resultArrays(TRIANGLE_PAIR_FIELDS, ['segment'], found.count, is64Bit, undefined)
    : {};
  if (own) await workInTurns(writeSegments(bodies, pairs, shapes, found, own as Float64Array), expectOn);
  const arrays = resultArrays(TRIANGLE_PAIR_FIELDS, fields, found.count, is64Bit, target, { segment: own });
  arrays.pair?.set(found.pairs.subarray(0, found.count));
  arrays.status?.fill(STATUS_OVERLAPPING, 0, found.count);
  arrays.triangleA?.set(found.partsA.subarray(0, found.count));
  arrays.triangleB?.set(found.partsB.subarray(0, found.count));
  if (arrays.segment !== own) arrays.segment.set(own);
  const result = { count: found.count, hits: found.count, statusCounts, ...arrays };
  return withItems(result, TRIANGLE_PAIR_FIELDS, arrays, 3);
}

/** The trees of all meshes that bodies have. */
function* buildTrees({ bodies, shapes }: TrianglePairRequest): Work<void> {
  for (const id of new Set(bodies.shapes)) {
    const shape = shapes[id];
    if (shape?.parts?.type === 'mesh') yield* partTree(shape);
  }
}

/** Searches all pairs. */
function* searchPairs(
  { bodies, pairs, shapes }: TrianglePairRequest,
  walk: Walk,
  found: Candidates,
  statusCounts: number[],
): Work<void> {
  const places = createPairPlaces();
  for (let pair = 0; 2 * pair < pairs.length; pair++) {
    placePair(bodies, shapes, pairs[2 * pair], pairs[2 * pair + 1], places);
    const firstHit = found.count;
    yield* addHits(pair, places, walk, found);
    statusCounts[found.count > firstHit ? STATUS_OVERLAPPING : STATUS_SEPARATED]++;
    if (isWalkDue(walk) || walk.isDue(64)) yield;
  }
}

function expectRoom({ count }: Candidates): void {
  if (count <= MOST_HITS) return;
  const message = `pairs have more than ${MOST_HITS} pairs of triangles that intersect, expected at most that`;
  throw new NarrowphaseError('LIMIT_EXCEEDED', message);
}

/** Adds the triangles of a pair that intersect, in ascending order. */
function* addHits(pair: number, { a, b, placement }: PairPlaces, walk: Walk, to: Candidates): Work<void> {
  const first = to.count;
  const add = (triangleA: number, triangleB: number): void => {
    addCandidate(to, pair, triangleA, triangleB);
    expectRoom(to);
  };
  const rest = findTrianglePairs(treeMesh(a.shape), treeMesh(b.shape), placement, add, walk);
  if (rest) yield* rest;
  const partsA = to.partsA.subarray(first, to.count);
  const partsB = to.partsB.subarray(first, to.count);
  const order = yield* sortSlots(partsA, partsB);
  if (!order) return;
  partsA.set(yield* inOrder(partsA, order));
  partsB.set(yield* inOrder(partsB, order));
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
