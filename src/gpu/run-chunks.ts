/** Cuts the pairs of a query into chunks, has them answered, and passes the answers to the sink. */
import { throwIfAborted } from '../request/abort.ts';
import type { QuerySink } from '../request/backend.ts';
import { answerChunk, type QueryRun } from './answer-chunk.ts';
import { SIMPLEX_BYTES } from './simplices.ts';

export async function runChunks(run: QueryRun, sink: QuerySink): Promise<void> {
  const { request, plan, state } = run;
  const { chunkSizes, session } = state;
  const pairCount = request.pairs.length / 2;
  const recordBytes = 4 * request.space.records.sizes[request.query].words;
  const pairBytes = Math.max(recordBytes, request.warmStart ? SIMPLEX_BYTES : 0);
  const key = JSON.stringify(plan.steps);
  for (let first = 0; first < pairCount;) {
    throwIfAborted(request.signal);
    const count = Math.min(chunkSizes.next(key, pairBytes), pairCount - first);
    const { statuses, chunk, most } = await answerChunk(run, session.pool, first, count);
    chunkSizes.measured(key, count, most);
    if (statuses) sink.count(statuses);
    if (chunk) sink.write(chunk);
    first += count;
  }
}
