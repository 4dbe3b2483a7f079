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
import { answerChunk, type ChunkAnswer, type QueryRun } from './answer-chunk.ts';
import { SIMPLEX_BYTES } from './simplices.ts';

interface ChunkInFlight {
  count: number;
  answer: Promise<ChunkAnswer>;
}

/** Rejects when the first chunk fails or the query is aborted; by then no chunk is in flight. */
export async function runChunks(run: QueryRun, sink: QuerySink): Promise<void> {
  const { request, plan, clock, state } = run;
  const { chunkSizes, session } = state;
  const { chunkPools } = session;
  const pairCount = request.pairs.length / 2;
  const recordBytes = 4 * request.dimension.records.sizes[request.query].words;
  const pairBytes = Math.max(recordBytes, request.warmStart ? SIMPLEX_BYTES : 0);
  const key = JSON.stringify(plan.steps);
  const inFlight: ChunkInFlight[] = [];
  let submittedPairs = 0;
  let submittedChunks = 0;

  function submitChunks(): void {
    // The first chunk of an unknown plan runs alone: its size is a guess, and two of them might take too long.
    const most = chunkSizes.isKnown(key) ? chunkPools.length : 1;
    while (inFlight.length < most && submittedPairs < pairCount) {
      throwIfAborted(request.signal);
      const count = Math.min(chunkSizes.next(key, pairBytes), pairCount - submittedPairs);
      const answer = answerChunk(run, chunkPools[submittedChunks % chunkPools.length], submittedPairs, count);
      // It may reject while an earlier chunk is awaited.
      answer.catch(() => {});
      inFlight.push({ count, answer });
      submittedPairs += count;
      submittedChunks++;
    }
  }

  try {
    submitChunks();
    while (inFlight.length > 0) {
      const { count, answer } = inFlight[0];
      const { statuses, chunk, most, least } = await answer;
      inFlight.shift();
      chunkSizes.measured(key, count, most, least);
      // Before the records are decoded, so that the device is never idle meanwhile.
      submitChunks();
      clock.work(() => {
        if (statuses) sink.count(statuses);
        if (chunk) sink.write(chunk);
      });
    }
  } finally {
    // The next query uses the same buffers.
    if (inFlight.length > 0) await Promise.allSettled(inFlight.map(({ answer }) => answer));
  }
}
