/**
 * Queries over bodies of parts, in 2-D and 3-D, on any backend. A range of pairs at a time,
 *
 * 1. the pairs of parts that may decide are searched (search-pair.ts),
 * 2. the backend answers for them, as for bodies of their own (part-body-list.ts),
 * 3. each pair gets one answer (pair-answers.ts), or all hits are listed (part-list.ts).
 */
import { writeRecord } from '../cpu/write-record.ts';
import type { RecordChunk } from '../records/chunk.ts';
import {
  noTimings,
  type Backend,
  type AskedQuery,
  type BodyPairs,
  type QueryRequest,
  type QuerySink,
} from '../request/backend.ts';
import type { QueryTimings } from '../api/types.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { isWalkDue } from '../bvh/walk.ts';
import { createCandidates, type Candidates } from './candidates.ts';
import { createPairAnswers, type Answers, type OffsetOf } from './pair-answers.ts';
import { createPartList, type SurfaceOfHits } from './part-list.ts';
import { placePair } from '../cpu/parts/pair-places.ts';
import { impactQueryOf } from '../cpu/parts/part-impacts.ts';
import { loadPartGeometry } from './load-geometry.ts';
import { createPartPlaces, type PartGeometry } from './part-geometry.ts';
import { createKnownAnswer } from './known-answer.ts';
import { createPairSearch, type PairSearch } from './search-pair.ts';
import { createSurfaceImpacts } from './surface/surface-impacts.ts';
import { createSurfaceList } from './surface/surface-list.ts';
import { KERNEL_ANGLE, REFERENCE_ANGLE } from './surface/surface-pair.ts';

/** About how many pairs of parts a backend answers at a time. */
const CANDIDATES_AT_ONCE = 2 ** 16;

/** Most pairs of bodies whose answers are written at a time. */
const PAIRS_AT_ONCE = 2 ** 16;

/** Steps of `createPace` per pair, without its tests. */
const PAIR_STEPS = 64;

/** A request whose pairs may have bodies of parts, and how it is answered. */
export interface PartsRun {
  backend: Pick<Backend, 'name' | 'timings'>;
  /** The backend, or one that falls back to the reference. */
  answering: Pick<Backend, 'run'>;
  request: QueryRequest;
  /** Whether all pairs of parts that hit are listed, instead of one answer per pair. */
  listsParts: boolean;
  /** Throws if the query is to end. */
  expectOn: () => void;
}

interface GeometryRun extends PartsRun {
  geometry: PartGeometry;
}

/** Loads what answers the requests of a dimension. */
export async function loadPartsRun(
  dimension: Pick<Dimension, 'dimension'>,
): Promise<(run: PartsRun, sink: QuerySink) => Promise<void>> {
  const geometry = await loadPartGeometry(dimension);
  return (run, sink) => runParts({ ...run, geometry }, sink);
}

async function runParts(run: GeometryRun, sink: QuerySink): Promise<void> {
  const { backend, request, listsParts, geometry, expectOn } = run;
  const { pairs } = request.over;
  await Promise.all([workInTurns(prepareShapes(request, geometry), expectOn), sink.loadDecoding()]);
  const places = createPartPlaces(geometry);
  const isReference = backend.name === 'cpu';
  const impacts = createSurfaceImpacts(request, places, REFERENCE_ANGLE);
  const search = createPairSearch(request, listsParts, places, !isReference, impacts);
  const surface = surfaceOfHits(run, isReference ? REFERENCE_ANGLE : KERNEL_ANGLE);
  const count = pairs.length / 2;
  const sum = noTimings();
  for (let first = 0; first < count; first += PAIRS_AT_ONCE) {
    const end = Math.min(first + PAIRS_AT_ONCE, count);
    const answers = createAnswers(run, first, end, surface);
    const candidates = createCandidates();
    const answer = async (): Promise<void> => {
      if (candidates.count === 0) return;
      await answerCandidates(run, candidates, answers);
      if (answers.settle) await workInTurns(answers.settle(candidates.pairs[candidates.count - 1]), expectOn);
      candidates.count = 0;
      addTimings(sum, backend.timings);
      expectOn();
    };
    const isEnough = (): boolean => candidates.count >= CANDIDATES_AT_ONCE;
    await workInTurns(searchRange(search, first, answers, candidates), expectOn, isEnough, answer);
    await answer();
    const { chunk, statusCounts, hits } = await workInTurns(answers.finish(request.form.slots !== 'all'), expectOn);
    sink.count(statusCounts, hits);
    sink.write(chunk);
  }
  const { boxTests, partTests } = search.walk;
  Object.assign(backend.timings, sum, { tree: { boxTests, partTests } });
}

const STEPS = ['compile', 'validate', 'upload', 'kernels', 'readBack', 'decode'] as const;

function addTimings(sum: QueryTimings, timings: QueryTimings): void {
  for (const step of STEPS) sum[step] += timings[step];
}

/** What decides about the hits that a backend lists with surfaces. `angle`: the error of its normals, in radians. */
function surfaceOfHits({ request, listsParts, geometry }: GeometryRun, angle: number): SurfaceOfHits {
  const { query } = request.what;
  const { shapes } = request.over;
  const isList = listsParts && (query === 'contacts' || query === 'manifolds');
  const table = shapes.shapes as readonly (ShapeData | undefined)[];
  const hasSurfaces = table.some((shape) => shape && geometry.surface.isSurface(shape));
  return {
    contacts: isList && hasSurfaces ? createSurfaceList(request, geometry, angle) : undefined,
    impacts: createSurfaceImpacts(request, createPartPlaces(geometry), angle),
  };
}

function createAnswers(
  { request: { what, over }, listsParts }: PartsRun,
  first: number,
  end: number,
  surface: SurfaceOfHits,
): Answers {
  const [{ query }, { records }] = [what, over.dimension];
  return listsParts
    ? createPartList(query, records, first, end, surface)
    : createPairAnswers(query, records, first, end);
}

/** Builds the trees of all bounded shapes that bodies have, and prepares surfaces if there will be normals. */
function* prepareShapes({ what: { query }, over }: AskedQuery, geometry: PartGeometry): Work<void> {
  const { shapes } = over.shapes;
  const isUsed = new Uint8Array(shapes.length);
  for (const id of over.bodies.shapes) isUsed[id] = 1;
  const needsSurface = query !== 'intersects' && query !== 'distances';
  for (const [id, shape] of (shapes as readonly (ShapeData | undefined)[]).entries()) {
    if (!shape || !isUsed[id] || shape.kind === CORE_HALFSPACE) continue;
    yield* geometry.prepareTree(shape);
    if (query === 'impacts') yield* geometry.prepareMotion(shape);
    if (needsSurface) yield* geometry.surface.prepare(shape, `shapes[${id}]`);
  }
}

/**
 * Searches pairs from `first` on: puts the answers that are known, and adds the pairs of parts that a backend answers to
 * `candidates`, which may be taken away at each yield.
 */
function* searchRange(search: PairSearch, first: number, answers: Answers, candidates: Candidates): Work<void> {
  const known = createKnownAnswer();
  const { walk } = search;
  for (let pair = first; pair < answers.end; pair++) {
    if (yield* search.search(pair, candidates, known)) answers.put(pair, known);
    if (isWalkDue(walk) || walk.isDue(PAIR_STEPS)) yield;
  }
}

/** Versions of tables of parts. Those of testers count up from 0. */
let lastVersion = -1;

/** Has the backend answer for pairs of parts. */
async function answerCandidates(run: GeometryRun, candidates: Candidates, answers: Answers): Promise<void> {
  const { backend, answering, request, geometry, expectOn } = run;
  if (backend.name === 'cpu') {
    for (const chunk of await chunksOf(answering, requestOver(run, pairsOfParts(request.over, candidates))))
      await workInTurns(answers.take(chunk, candidates), expectOn);
    return;
  }
  const { kept, advanced } = divide(request.over, geometry, candidates);
  if (kept.length > 0) {
    const { over, offsetOf } = await workInTurns(partsAsBodies(request.over, geometry, candidates, kept), expectOn);
    for (const chunk of await chunksOf(answering, requestOver(run, over)))
      await workInTurns(answers.take(chunk, candidates, kept, offsetOf), expectOn);
  }
  if (advanced.length === 0) return;
  const chunk = await workInTurns(advance(request, geometry, candidates, advanced), expectOn);
  await workInTurns(answers.take(chunk, candidates, advanced), expectOn);
}

/** The answers of the backend, which are taken when the event loop has had its turns. */
async function chunksOf({ run }: Pick<Backend, 'run'>, request: QueryRequest): Promise<RecordChunk[]> {
  const chunks: RecordChunk[] = [];
  await run(request, { async loadDecoding() {}, count() {}, write: (chunk) => void chunks.push(chunk) });
  return chunks;
}

/** The same question about pairs of parts. */
function requestOver({ request, listsParts }: PartsRun, over: BodyPairs): QueryRequest {
  return { ...request, over, form: { type: 'records', slots: listsParts ? 'hits' : 'all' } };
}

/** For the CPU backend, which finds parts in their bodies. */
function pairsOfParts(
  { dimension, shapes, bodies, motion, pairs: given }: BodyPairs,
  { count, pairs, partsA, partsB }: Candidates,
): BodyPairs {
  const ofBodies = allocate('pairs of parts', Uint32Array, 2 * count);
  for (let i = 0; i < count; i++) {
    ofBodies[2 * i] = given[2 * pairs[i]];
    ofBodies[2 * i + 1] = given[2 * pairs[i] + 1];
  }
  const parts = { a: partsA.subarray(0, count), b: partsB.subarray(0, count) };
  return { dimension, shapes, bodies, motion, pairs: ofBodies, parts };
}

/** For other backends: each part is a body. And where parts are in their bodies. */
function* partsAsBodies(
  given: BodyPairs,
  geometry: PartGeometry,
  candidates: Candidates,
  kept: readonly number[],
): Work<{ over: BodyPairs; offsetOf: OffsetOf }> {
  const isDue = createPace();
  const table = given.shapes.shapes as readonly (ShapeData | undefined)[];
  const list = geometry.createPartBodyList(given.bodies, table, given.motion);
  const pairs = new Uint32Array(2 * kept.length);
  for (const [i, candidate] of kept.entries()) {
    if (isDue(PAIR_STEPS)) yield;
    const pair = candidates.pairs[candidate];
    pairs[2 * i] = list.numberOf(given.pairs[2 * pair], candidates.partsA[candidate]);
    pairs[2 * i + 1] = list.numberOf(given.pairs[2 * pair + 1], candidates.partsB[candidate]);
  }
  const { bodies, motion, shapes, offsets } = list.finish();
  const over: BodyPairs = {
    dimension: given.dimension,
    bodies,
    motion,
    pairs,
    shapes: {
      shapes,
      freeIds: 0,
      version: --lastVersion,
      removals: undefined,
      idCount: shapes.length,
      centredHalfspaces: new Map(),
    },
  };
  const offsetOf: OffsetOf = (i) => offsets && { offsets, at: 3 * pairs[2 * i] };
  return { over, offsetOf };
}

/** The candidates that the backend answers, and those that only advancement does. */
function divide(
  { motion, bodies, pairs, shapes: { shapes } }: BodyPairs,
  { advancing }: PartGeometry,
  candidates: Candidates,
) {
  const kept: number[] = [];
  const advanced: number[] = [];
  const isAdvanced = (body: number, part: number): boolean =>
    advancing !== undefined && advancing.isNeeded(motion!, body, shapes[bodies.shapes[body]] as ShapeData, part);
  for (let i = 0; i < candidates.count; i++) {
    const pair = candidates.pairs[i];
    const isOne =
      motion?.angular !== undefined &&
      (isAdvanced(pairs[2 * pair], candidates.partsA[i]) || isAdvanced(pairs[2 * pair + 1], candidates.partsB[i]));
    (isOne ? advanced : kept).push(i);
  }
  return { kept, advanced };
}

/** The impacts of candidates by advancement. */
function* advance(
  asked: AskedQuery,
  geometry: PartGeometry,
  candidates: Candidates,
  numbers: readonly number[],
): Work<RecordChunk> {
  const { what, over } = asked;
  const { query } = what;
  const { dimension, pairs, shapes, bodies } = over;
  const impactQuery = impactQueryOf(asked);
  const { words } = dimension.records.sizes[query];
  const integers = new Uint32Array(words * numbers.length);
  const floats = new Float32Array(integers.buffer);
  const places = createPartPlaces(geometry);
  const { result } = createKnownAnswer();
  for (const [slot, candidate] of numbers.entries()) {
    // An advancement takes long.
    if (slot > 0) yield;
    const pair = candidates.pairs[candidate];
    const [bodyA, bodyB] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const table = shapes.shapes as readonly (ShapeData | undefined)[];
    placePair(bodies, table, bodyA, bodyB, places);
    const [partA, partB] = [candidates.partsA[candidate], candidates.partsB[candidate]];
    geometry.advancing!.advance(places, partA, partB, impactQuery, result);
    writeRecord(query, dimension.records, result, floats, integers, slot);
  }
  return { firstPair: 0, recordCount: numbers.length, records: integers.buffer as ArrayBuffer };
}
