/** Assembles a query's result from the records that a backend returns chunk by chunk. */
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult, type ResultOptions } from '../records/create-result.ts';
import { addCounts, countRecords, decodeRecords } from '../records/decode.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest } from '../request/backend.ts';
import { keepEarliest } from './first-impacts.ts';

/** Options that affect the result. */
export interface AnswerOptions<Q extends QueryName> extends ResultOptions<QueryResults[Q]> {
  escalate?: boolean;
}

/**
 * Has the reference answer the pairs of a chunk that did not converge on the backend. `counted` gets each change of
 * status.
 */
export type Escalate = (
  request: QueryRequest,
  chunk: RecordChunk,
  counted: (before: number, now: number) => void,
) => RecordChunk;

/** Results with one slot per pair. */
export async function collectAll<Q extends QueryName>(
  backend: Backend,
  request: QueryRequest,
  options: AnswerOptions<Q>,
  escalate: Escalate | undefined,
): Promise<QueryResults[Q]> {
  const { query, dimension, bodies, pairs, motion, signal } = request;
  const result = createResult(query as Q, dimension.dimension, pairs.length / 2, bodies, options);
  await backend.run(request, {
    write(given) {
      // By now the caller may have seen the abort and be using the target for something else.
      throwIfAborted(signal);
      const chunk = escalate ? escalate(request, given, () => {}) : given;
      decodeRecords(query, dimension.records, result, chunk.firstPair, chunk, bodies, pairs, motion?.linear);
      countRecords(dimension.records.sizes[query], result, chunk);
    },
    count() {},
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
  const given: RecordChunk[] = [];
  const totals = [0, 0, 0, 0, 0];
  const counted = (before: number, now: number): void => {
    totals[before]--;
    totals[now]++;
  };
  await backend.run(request, {
    write(chunk) {
      throwIfAborted(signal);
      given.push(escalate ? escalate(request, chunk, counted) : chunk);
    },
    count: (statusCounts) => totals.forEach((total, status) => (totals[status] = total + statusCounts[status])),
  });
  const { chunks, first } = request.earliestOnly
    ? keepEarliest(given, dimension, bodies, pairs, motion!)
    : { chunks: given, first: undefined };
  const hits = chunks.reduce((sum, chunk) => sum + chunk.recordCount, 0);
  // After this check the target is written without a pause.
  throwIfAborted(signal);
  const result = createResult(query as Q, dimension.dimension, hits, bodies, options);
  addCounts(result, totals, hits);
  if (first) Object.assign(result, { first });
  let slot = 0;
  for (const chunk of chunks) {
    decodeRecords(query, dimension.records, result, slot, chunk, bodies, pairs, motion?.linear);
    slot += chunk.recordCount;
  }
  return result;
}
