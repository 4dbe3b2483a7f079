/**
 * Cuts the pairs of a query into chunks, has them answered, and passes the answers to the sink in ascending order. Two
 * chunks are in flight: while the records of one are read and decoded, the device computes the next.
 *
 *     device   | chunk 0 | chunk 1 | chunk 2 | chunk 3 |
 *     host               | read 0  | read 1  | read 2  | read 3
 *              ^ ^       ^ submit 2 into the buffers of chunk 0
 *              submit 0, 1
 */
import { throwIfAborted } from '../request/abort.ts';
import type { QuerySink } from '../request/backend.ts';
import { hasCode } from '../api/errors.ts';
import type { BufferPool } from './buffers.ts';
import { firstPairs } from './chunks.ts';
import { answerChunk, Resubmission, type ChunkAnswer, type QueryRun } from './answer-chunk.ts';
import { SIMPLEX_BYTES } from './simplices.ts';

/** The sink threw the cause. The device is not to blame. */
export class SinkFailure extends Error {}

interface ChunkInFlight {
  firstPair: number;
  count: number;
  pool: BufferPool;
  answer: Promise<ChunkAnswer>;
  /** Whether another chunk was in flight beside it. */
  hadNeighbour: boolean;
}

/** Rejects when a chunk fails or the query is aborted; by then no chunk is in flight. */
export async function runChunks(run: QueryRun, sink: QuerySink): Promise<void> {
  const { request, plan, output, clock, state, timings } = run;
  const { chunkSizes, session } = state;
  const { chunkPools } = session;
  const { pairs, shapes, dimension, warmStart } = request.over;
  const pairCount = pairs.length / 2;
  const recordBytes = 4 * dimension.records.sizes[request.what.query].words;
  const pairBytes = Math.max(recordBytes, output.slotBytes, warmStart ? SIMPLEX_BYTES : 0);
  const key = JSON.stringify(plan);
  chunkSizes.useShapes(shapes.version);
  const first = chunkSizes.isKnown(key) ? undefined : firstPairs(request.over);
  const inFlight: ChunkInFlight[] = [];
  let submittedPairs = 0;

  function submitChunks(): void {
    // The first chunk of an unknown plan runs alone: its size is a guess, and two of them might take too long.
    const most = chunkSizes.isKnown(key) ? state.chunksInFlight : 1;
    while (inFlight.length < most && submittedPairs < pairCount) {
      throwIfAborted(request.signal);
      request.ensureIntact?.();
      const count = Math.min(chunkSizes.next(key, pairBytes, first), pairCount - submittedPairs);
      const pool = chunkPools.find((each) => inFlight.every((chunk) => chunk.pool !== each))!;
      const answer = answerChunk(run, pool, submittedPairs, count);
      // After a refused command, buffers may be invalid or missing. A chunk may fail while an earlier one is awaited.
      answer.catch((error: unknown) => error instanceof Resubmission || pool.clear());
      inFlight.push({ firstPair: submittedPairs, count, pool, answer, hadNeighbour: false });
      if (inFlight.length > 1) for (const chunk of inFlight) chunk.hadNeighbour = true;
      submittedPairs += count;
    }
  }

  /** The answer of the first chunk in flight; none if it has to be submitted again, alone. */
  async function firstAnswer(): Promise<ChunkAnswer | undefined> {
    const { firstPair, answer, hadNeighbour } = inFlight[0];
    try {
      return await answer;
    } catch (error) {
      if (!hasCode(error, 'OUT_OF_MEMORY') || !hadNeighbour) throw error;
      // There may be memory for one chunk if there is none for two.
      await Promise.allSettled(inFlight.map((chunk) => chunk.answer));
      inFlight.length = 0;
      for (const pool of chunkPools) pool.clear();
      state.chunksInFlight = 1;
      // Not even the buffers of the input may exist, which were made for this chunk.
      if (firstPair === 0) throw new Resubmission(true);
      submittedPairs = firstPair;
      return undefined;
    }
  }

  /** Copies an answer out of mapped memory while the device computes the other chunk in flight. */
  function deliver(answer: ChunkAnswer): void {
    const start = performance.now();
    try {
      clock.work(() => answer.deliver(sink));
    } catch (cause) {
      throw new SinkFailure('the answers were not taken', { cause });
    } finally {
      answer.release();
      timings.decode += performance.now() - start;
    }
  }

  try {
    submitChunks();
    while (inFlight.length > 0) {
      const answer = await firstAnswer();
      if (answer) {
        const { count } = inFlight.shift()!;
        chunkSizes.measured(key, count, answer.time.most, answer.time.least);
        deliver(answer);
      }
      submitChunks();
    }
  } finally {
    // The next query uses the same buffers.
    for (const { answer } of inFlight) {
      await answer.then(
        ({ release }) => release(),
        () => {},
      );
    }
  }
}
