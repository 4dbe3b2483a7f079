/** Assembles a query's result from what a backend returns chunk by chunk. */
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult, type ResultOptions } from '../records/create-result.ts';
import { addTotals, decodeRecords, type Totals } from '../records/decode.ts';
import { copyArrays, ownArrays, type ArrayChunk } from '../records/result-arrays.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest } from '../request/backend.ts';
import { keepEarliest } from './first-impacts.ts';

/** Options that affect the result. */
export interface AnswerOptions<Q extends QueryName> extends ResultOptions<QueryResults[Q]> {
  escalate?: boolean;
}

/** Has the reference answer the pairs of a chunk that did not converge on the backend, and corrects the totals. */
export type Escalate = (request: QueryRequest, chunk: RecordChunk, totals: Totals) => RecordChunk;

/** Results with one slot per pair. */
export async function collectAll<Q extends QueryName>(
  backend: Backend,
  request: QueryRequest,
  options: AnswerOptions<Q>,
  escalate: Escalate | undefined,
): Promise<QueryResults[Q]> {
  const { query, dimension, bodies, pairs, motion, signal } = request;
  const result = createResult(query as Q, dimension.dimension, pairs.length / 2, bodies, options);
  const totals = result as unknown as Totals;
  await backend.run(request, {
    count: (statusCounts, hits) => addTotals(totals, statusCounts, hits),
    write(given) {
      // By now the caller may have seen the abort and be using the target for something else.
      throwIfAborted(signal);
      const chunk = escalate ? escalate(request, given, totals) : given;
      decodeRecords(query, dimension.records, result, chunk.firstPair, chunk, bodies, pairs, motion?.linear);
    },
    writeArrays(chunk) {
      throwIfAborted(signal);
      copyArrays(result, chunk.firstPair, chunk, dimension.dimension, bodies, pairs, motion?.linear);
    },
  });
  return result;
}

/** Results with one slot per hit. The number of hits is known only when all chunks are back. */
export async function collectHits<Q extends QueryName>(
  backend: Backend,
  request: QueryRequest,
  options: AnswerOptions<Q>,
  escalate: Escalate | undefined,
): Promise<QueryResults[Q]> {
  const { query, dimension, bodies, pairs, motion, signal } = request;
  const recordChunks: RecordChunk[] = [];
  const arrayChunks: ArrayChunk[] = [];
  const totals: Totals = { statusCounts: [0, 0, 0, 0, 0], hits: 0 };
  await backend.run(request, {
    count: (statusCounts, hits) => addTotals(totals, statusCounts, hits),
    write(chunk) {
      throwIfAborted(signal);
      recordChunks.push(escalate ? escalate(request, chunk, totals) : chunk);
    },
    writeArrays(chunk) {
      throwIfAborted(signal);
      arrayChunks.push(ownArrays(chunk));
    },
  });
  const { chunks, first } = request.earliestOnly
    ? keepEarliest(recordChunks, dimension, bodies, pairs, motion!)
    : { chunks: recordChunks, first: undefined };
  const hits =
    chunks.reduce((sum, { recordCount }) => sum + recordCount, 0) +
    arrayChunks.reduce((sum, { count }) => sum + count, 0);
  // After this check the target is written without a pause.
  throwIfAborted(signal);
  const result = createResult(query as Q, dimension.dimension, hits, bodies, options);
  addTotals(result as unknown as Totals, totals.statusCounts, hits);
  if (first) Object.assign(result, { first });
  let slot = 0;
  for (const chunk of chunks) {
    decodeRecords(query, dimension.records, result, slot, chunk, bodies, pairs, motion?.linear);
    slot += chunk.recordCount;
  }
  for (const chunk of arrayChunks) {
    copyArrays(result, slot, chunk, dimension.dimension, bodies, pairs, motion?.linear);
    slot += chunk.count;
  }
  return result;
}
