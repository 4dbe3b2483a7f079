/**
 * Queries over bodies of parts, in 2-D and 3-D. The CPU backend answers pairs of parts, also those of testers on WebGPU.
 * There, the device answers pairs of convex bodies first (convex-pairs.ts). The others are answered one range at a time:
 *
 * 1. the pairs of parts that may decide are searched (search-pair.ts),
 * 2. the CPU backend answers for them,
 * 3. each pair gets one answer (pair-answers.ts), or all hits are listed (part-list.ts).
 */
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
import { workInTurns, type Work } from '../util/turns.ts';
import { isWalkDue } from '../bvh/walk.ts';
import { createCandidates, type Candidates } from './candidates.ts';
import { createPairAnswers, type Answers } from './pair-answers.ts';
import { createPartList, type SurfaceOfHits } from './part-list.ts';
import { answerConvexPairs, CONVEX_BLOCK, type ConvexPairs } from './convex-pairs.ts';
import { loadPartGeometry } from './load-geometry.ts';
import { createPartPlaces, type PartGeometry } from './part-geometry.ts';
import { createKnownAnswer } from './known-answer.ts';
import { createPairSearch, type PairSearch } from './search-pair.ts';
import { createSurfaceImpacts } from './surface/surface-impacts.ts';
import { createSurfaceList } from './surface/surface-list.ts';

/** About how many pairs of parts are answered at a time. */
const CANDIDATES_AT_ONCE = 2 ** 16;

/** Most pairs of bodies whose answers are written at a time. `CONVEX_BLOCK` is a multiple. */
const PAIRS_AT_ONCE = 2 ** 16;

/** Steps of `createPace` per pair, without its tests. */
const PAIR_STEPS = 64;

/** A request whose pairs may have bodies of parts, and how it is answered. */
export interface PartsRun {
  /** The tester's backend, whose timings become those of the whole query. */
  backend: Pick<Backend, 'name' | 'timings'>;
  /** The same, or one that falls back to the reference: answers pairs of convex bodies. */
  answering: Pick<Backend, 'run'>;
  /** Answers pairs of parts. Of testers on the CPU, it is the same backend, which then answers all pairs together. */
  cpu: Pick<Backend, 'run' | 'timings'>;
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
  const { backend, cpu, request, listsParts, geometry, expectOn } = run;
  const { pairs } = request.over;
  // The tester may have been disposed of while parts of the package were loaded.
  expectOn();
  await Promise.all([workInTurns(prepareShapes(request, geometry), expectOn), sink.loadDecoding()]);
  const places = createPartPlaces(geometry);
  const search = createPairSearch(request, listsParts, places, createSurfaceImpacts(request, places));
  const surface = surfaceOfHits(run);
  const count = pairs.length / 2;
  const sum = noTimings();
  let convex: ConvexPairs | undefined;
  for (let first = 0; first < count; first += PAIRS_AT_ONCE) {
    const end = Math.min(first + PAIRS_AT_ONCE, count);
    if (backend.name === 'webgpu' && first % CONVEX_BLOCK === 0) {
      convex = await answerConvexPairs(run.answering, request, first, expectOn);
      if (convex) addTimings(sum, backend.timings);
    }
    const answers = createAnswers(run, first, end, surface);
    if (convex) await workInTurns(convex.put(answers, first, end), expectOn);
    const candidates = createCandidates();
    const answer = async (): Promise<void> => {
      if (candidates.count === 0) return;
      await answerCandidates(run, candidates, answers);
      if (answers.settle) await workInTurns(answers.settle(candidates.pairs[candidates.count - 1]), expectOn);
      candidates.count = 0;
      addTimings(sum, cpu.timings);
      expectOn();
    };
    const isEnough = (): boolean => candidates.count >= CANDIDATES_AT_ONCE;
    await workInTurns(searchRange(search, first, answers, candidates, convex), expectOn, isEnough, answer);
    await answer();
    const { chunk, statusCounts, hits } = await workInTurns(answers.finish(request.form.slots !== 'all'), expectOn);
    expectOn();
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

/** What decides about listed hits with surfaces. */
function surfaceOfHits({ request, listsParts, geometry }: GeometryRun): SurfaceOfHits {
  const { query } = request.what;
  const { shapes } = request.over;
  const isList = listsParts && (query === 'contacts' || query === 'manifolds');
  const table = shapes.shapes as readonly (ShapeData | undefined)[];
  const hasSurfaces = table.some((shape) => shape && geometry.surface.isSurface(shape));
  return {
    contacts: isList && hasSurfaces ? createSurfaceList(request, geometry) : undefined,
    impacts: createSurfaceImpacts(request, createPartPlaces(geometry)),
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
 * Searches the pairs from `first` on, except those in `answered`. Answers that are known at once are put; for the others,
 * the pairs of parts that have to be answered are added to `candidates`, which may be taken away at each yield.
 */
function* searchRange(
  search: PairSearch,
  first: number,
  answers: Answers,
  candidates: Candidates,
  answered: ConvexPairs | undefined,
): Work<void> {
  const known = createKnownAnswer();
  const { walk } = search;
  for (let pair = first; pair < answers.end; pair++) {
    if (!answered?.has(pair) && (yield* search.search(pair, candidates, known))) answers.put(pair, known);
    if (isWalkDue(walk) || walk.isDue(PAIR_STEPS)) yield;
  }
}

/** Has the CPU backend answer for pairs of parts. */
async function answerCandidates(run: PartsRun, candidates: Candidates, answers: Answers): Promise<void> {
  const { request, listsParts } = run;
  const chunks: RecordChunk[] = [];
  const over = pairsOfParts(request.over, candidates);
  const form = { type: 'records', slots: listsParts ? 'hits' : 'all' } as const;
  await run.cpu.run(
    { ...request, over, form },
    {
      async loadDecoding() {},
      count() {},
      write: (chunk) => void chunks.push(chunk),
    },
  );
  // When the event loop has had its turns.
  for (const chunk of chunks) await workInTurns(answers.take(chunk, candidates), run.expectOn);
}

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
