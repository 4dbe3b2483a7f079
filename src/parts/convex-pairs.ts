/**
 * The pairs of convex bodies in a query with compounds and meshes, on WebGPU: the device answers all of them at once, over
 * the bodies as they are.
 */
import { pairOf, type RecordChunk } from '../records/chunk.ts';
import type { Backend, BodyPairs, QueryRequest } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { addCandidate, createCandidates, type Candidates } from './candidates.ts';
import type { Answers } from './pair-answers.ts';

export interface ConvexPairs {
  has(pair: number): boolean;
  /** Adds the answers of the pairs from `first` to `end`. */
  put(answers: Answers, first: number, end: number): Work<void>;
}

/** `question`: about all pairs, to be answered by records. */
export async function answerConvexPairs(
  { run }: Pick<Backend, 'run'>,
  question: QueryRequest,
  expectOn: () => void,
): Promise<ConvexPairs> {
  const { what, over } = question;
  const convex = await workInTurns(findConvexPairs(over), expectOn);
  const chunks: RecordChunk[] = [];
  if (convex.count > 0)
    await run(
      { ...question, over: overPairs(over, convex) },
      {
        async loadDecoding() {},
        count() {},
        // The backend may use the memory again.
        write: (chunk) => void chunks.push({ ...chunk, records: chunk.records.slice(0) }),
      },
    );
  const { words } = over.dimension.records.sizes[what.query];
  return {
    has: (pair) => isConvexPair(over, pair),
    *put(answers, first, end) {
      for (const chunk of chunks) {
        const part = recordsBetween(chunk, words, convex, first, end);
        if (part.recordCount > 0) yield* answers.take(part, convex);
      }
    },
  };
}

function isConvexPair({ bodies, pairs, shapes: { shapes } }: BodyPairs, pair: number): boolean {
  const isConvex = (body: number): boolean => !(shapes[bodies.shapes[body]] as ShapeData).parts;
  return isConvex(pairs[2 * pair]) && isConvex(pairs[2 * pair + 1]);
}

/** In ascending order. A convex body has one part, 0. */
function* findConvexPairs(over: BodyPairs): Work<Candidates> {
  const isDue = createPace();
  const found = createCandidates();
  for (let pair = 0; pair < over.pairs.length / 2; pair++) {
    if (isDue(1)) yield;
    if (isConvexPair(over, pair)) addCandidate(found, pair, 0, 0);
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

/** The records of the pairs from `first` to `end`. Pairs of a chunk ascend. */
function recordsBetween(
  chunk: RecordChunk,
  words: number,
  { pairs }: Candidates,
  first: number,
  end: number,
): RecordChunk {
  const from = slotFrom(chunk, pairs, first);
  const to = slotFrom(chunk, pairs, end);
  return {
    firstPair: chunk.listed ? chunk.firstPair : chunk.firstPair + from,
    recordCount: to - from,
    records: chunk.records.slice(4 * words * from, 4 * words * to),
    listed: chunk.listed?.subarray(from, to),
  };
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
