/**
 * The pairs of convex bodies in a query with compounds and meshes, on WebGPU: the device answers those of a block of pairs
 * at once, over the bodies as they are.
 */
import { pairOf, type RecordChunk } from '../records/chunk.ts';
import type { Backend, BodyPairs, QueryRequest } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { allocate, copyOf } from '../util/arrays.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { addCandidate, createCandidates, type Candidates } from './candidates.ts';
import type { Answers } from './pair-answers.ts';

/** How many pairs of a query are looked through at a time. */
export const CONVEX_BLOCK = 2 ** 19;

export interface ConvexPairs {
  /** Whether a pair is one of these. Calls are in ascending order of pairs. */
  has(pair: number): boolean;
  /** Adds the answers of the pairs from `first` to `end`. */
  put(answers: Answers, first: number, end: number): Work<void>;
}

/** Answers the pairs of a request from `first` on that are of convex bodies. Resolves to undefined if there are none. */
export async function answerConvexPairs(
  { run }: Pick<Backend, 'run'>,
  request: QueryRequest,
  first: number,
  expectOn: () => void,
): Promise<ConvexPairs | undefined> {
  const { what, over } = request;
  const convex = await workInTurns(findConvexPairs(over, first), expectOn);
  if (convex.count === 0) return undefined;
  const chunks: RecordChunk[] = [];
  const question = { ...request, over: overPairs(over, convex), form: { type: 'records', slots: 'all' } as const };
  await run(question, {
    async loadDecoding() {},
    count() {},
    // The backend may use the memory again.
    write: (chunk) => void chunks.push({ ...chunk, records: copied(chunk.records) }),
  });
  const { words } = over.dimension.records.sizes[what.query];
  let next = 0;
  return {
    has(pair) {
      while (next < convex.count && convex.pairs[next] < pair) next++;
      return next < convex.count && convex.pairs[next] === pair;
    },
    *put(answers, from, end) {
      for (const chunk of chunks) {
        const part = recordsBetween(chunk, words, convex, from, end);
        if (part.recordCount > 0) yield* answers.take(part, convex);
      }
    },
  };
}

/** In ascending order. A convex body has one part, 0. */
function* findConvexPairs({ bodies, pairs, shapes: { shapes } }: BodyPairs, first: number): Work<Candidates> {
  const isConvex = (body: number): boolean => !(shapes[bodies.shapes[body]] as ShapeData).parts;
  const isDue = createPace();
  const found = createCandidates();
  const end = Math.min(first + CONVEX_BLOCK, pairs.length / 2);
  for (let pair = first; pair < end; pair++) {
    if (isDue(1)) yield;
    if (isConvex(pairs[2 * pair]) && isConvex(pairs[2 * pair + 1])) addCandidate(found, pair, 0, 0);
  }
  return found;
}

function overPairs({ dimension, shapes, bodies, motion, resident, pairs }: BodyPairs, list: Candidates): BodyPairs {
  const chosen = allocate('pairs of convex bodies', Uint32Array, 2 * list.count);
  for (let i = 0; i < list.count; i++) {
    chosen[2 * i] = pairs[2 * list.pairs[i]];
    chosen[2 * i + 1] = pairs[2 * list.pairs[i] + 1];
  }
  return { dimension, shapes, bodies, motion, resident, pairs: chosen };
}

function copied(records: ArrayBuffer, begin = 0, end = records.byteLength): ArrayBuffer {
  return copyOf('answers of convex pairs', new Uint8Array(records, begin, end - begin)).buffer as ArrayBuffer;
}

/** The records of the pairs from `first` to `end`. Those of a chunk ascend. */
function recordsBetween(
  chunk: RecordChunk,
  words: number,
  { pairs }: Candidates,
  first: number,
  end: number,
): RecordChunk {
  const from = slotFrom(chunk, pairs, first);
  const to = slotFrom(chunk, pairs, end);
  const records = copied(chunk.records, 4 * words * from, 4 * words * to);
  return { firstPair: chunk.firstPair + from, recordCount: to - from, records };
}

/** The first slot whose pair is not before `pair`. */
function slotFrom(chunk: RecordChunk, pairs: Uint32Array, pair: number): number {
  let low = 0;
  let high = chunk.recordCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[pairOf(chunk, middle)] < pair) low = middle + 1;
    else high = middle;
  }
  return low;
}
